import { inSeconds } from '@pulse/contract'
import { type KindMetric, ofKind } from './of-kind.ts'

const sources = ofKind('sources')

/** The state of every connection and agent. */
export const sourceMetrics: readonly KindMetric[] = [
  sources.info(
    'pulse_source_info',
    'A connection that Pulse polls, or the agent of a container host. Always 1.',
    {
      name: ({ name }) => name,
      kind: ({ kind }) => kind,
    },
  ),
  sources.state(
    'pulse_source_up',
    'Whether the source is reachable or its agent reports; absent before the first poll.',
    ({ health }) => (health === 'unknown' ? undefined : health !== 'error'),
  ),
  sources.state(
    'pulse_source_degraded',
    'Whether the source is reachable but only partly readable or healthy.',
    ({ health }) => health === 'degraded',
  ),
  sources.state(
    'pulse_source_refused',
    'Whether access is refused: the source is reachable, but its certificate or the account of Pulse is not accepted.',
    (source) => source.refused === true,
  ),
  sources.state(
    'pulse_source_unreadable',
    'Unreadable parts of a reachable source, at most 20.',
    (source) => source.unreadable?.length ?? 0,
  ),
  sources.state(
    'pulse_source_answer_timestamp_seconds',
    'Time of the last answer or report of the source, in seconds since 1970.',
    ({ lastSeen }) => inSeconds(lastSeen),
  ),
]
