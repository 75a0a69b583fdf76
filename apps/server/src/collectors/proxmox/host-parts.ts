import type { MonitorFlag } from '@pulse/contract'
import { PartRunner } from '../../polling/part-runner.ts'
import { deadlineFor } from '../source.ts'
import { pauseAfter, toSourceError } from '../source-error.ts'
import type { HostContext, HostLoop, HostPart, HostRun } from './host-part.ts'

/** What is unknown there may come with an update. */
const unknownMs = 300_000
/** A right may be granted at any moment, by a person who then checks whether it helped. */
const deniedMs = 60_000
/** The pause before the gate of an absent host is checked again. */
const absentMs = 5_000

export interface HostPartsEdges<Cache> {
  /** for one part: its calls count as its own */
  contextOf: (part: HostPart<Cache>) => HostContext<Cache>
  isOn: (flag: MonitorFlag) => boolean
  /** as often as the host itself is asked */
  intervalMs: () => number
  /** Milliseconds until a call is affordable; Infinity while the host does not answer. */
  waitMs: () => number
  /** The account was refused: asking the host itself tells whether that is so for all. */
  refused: () => void
}

export type HostParts<Cache> = PartRunner<HostPart<Cache>, HostRun, HostLoop>

/** The parts of a source that is one machine. */
export function createHostParts<Cache>(
  parts: readonly HostPart<Cache>[],
  context: Pick<HostContext<Cache>, 'clock' | 'log' | 'health' | 'pace' | 'publish'>,
  edges: HostPartsEdges<Cache>,
): HostParts<Cache> {
  const { clock, log, health } = context
  return new PartRunner(parts, {
    clock,
    log,
    isWanted: ({ flags }) => flags?.some(edges.isOn) ?? true,
    start: (part) => part.start(edges.contextOf(part)),
    timing: ({ plan: { intervalMs = edges.intervalMs, deadlineMs, isWanted = () => true } }) => ({
      intervalMs,
      deadlineMs: deadlineMs ?? (() => deadlineFor(context.pace())),
      hold: () => (isWanted() ? Math.min(absentMs, edges.waitMs()) : absentMs),
    }),
    answered({ question }) {
      health.answered(question)
      void context.publish()
    },
    failed({ plan, question }, cause) {
      const error = toSourceError(cause)
      const failures = health.failed(question, cause, plan.right)
      void context.publish()
      if (error.code === 'unauthorized') edges.refused()
      const intervalMs = (plan.intervalMs ?? edges.intervalMs)()
      return pauseAfter(error, failures, { deniedMs: Math.max(deniedMs, intervalMs), unknownMs })
    },
    defect: (question, cause) => void health.failed(question, cause),
    forget: (question) => health.forget(question),
  })
}
