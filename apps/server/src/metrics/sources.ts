import { inSeconds } from '@pulse/contract'
import { type KindMetric, ofKind } from './of-kind.ts'

const sources = ofKind('sources')

/** How everything that is asked or reports is doing. */
export const sourceMetrics: readonly KindMetric[] = [
  sources.info(
    'pulse_source_info',
    'A connection that Pulse asks, or the agent of a container host. Always 1.',
    {
      name: ({ name }) => name,
      kind: ({ kind }) => kind,
    },
  ),
  sources.state(
    'pulse_source_up',
    'Whether the source answers or reports; absent until it was asked.',
    ({ health }) => (health === 'unknown' ? undefined : health !== 'error'),
  ),
  sources.state(
    'pulse_source_degraded',
    'Whether something of the source is amiss although it answers.',
    ({ health }) => health === 'degraded',
  ),
  sources.state(
    'pulse_source_refused',
    'Whether the source answers, but not to us: its certificate or our account is not accepted.',
    (source) => source.refused === true,
  ),
  sources.state(
    'pulse_source_unreadable',
    'How many things of the source cannot be read although it answers, twenty at most.',
    (source) => source.unreadable?.length ?? 0,
  ),
  sources.state(
    'pulse_source_answer_timestamp_seconds',
    'When the source last answered or reported, since 1970.',
    ({ lastSeen }) => inSeconds(lastSeen),
  ),
]
