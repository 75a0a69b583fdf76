import type { MonitorFlag } from '@pulse/contract'
import { backoffMs, hostBackoff } from '../../timing/backoff.ts'
import { PartRunner } from '../../polling/part-runner.ts'
import { deadlineFor } from '../source.ts'
import { SourceError, toSourceError } from '../source-error.ts'
import type { HostContext, HostLoop, HostPart, HostRun } from './host-part.ts'

/** What is unknown there may come with an update. */
const unknownMs = 300_000
/** A right may be granted at any moment, by a person who then checks whether it helped. */
const deniedMs = 60_000
const refusedMs = 30_000
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
  context: Pick<HostContext<Cache>, 'clock' | 'log' | 'unreadable' | 'pace' | 'publish'>,
  edges: HostPartsEdges<Cache>,
): HostParts<Cache> {
  const { clock, log, unreadable } = context
  const forget = (question: string) => unreadable.forget((what) => what === question)
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
      unreadable.read(question)
      void context.publish()
    },
    failed({ plan, question }, cause, failures) {
      const error = toSourceError(cause)
      if (!(cause instanceof SourceError) && failures === 1)
        log.error({ err: cause, part: question }, 'internal error in a part of the collector')
      unreadable.failed(question, error, plan.right)
      void context.publish()
      if (error.code === 'unauthorized') {
        edges.refused()
        return Math.max(refusedMs, backoffMs(hostBackoff, failures))
      }
      if (error.code === 'forbidden') return Math.max(deniedMs, (plan.intervalMs ?? edges.intervalMs)())
      return error.isRefusal ? unknownMs : undefined
    },
    defect(question, cause, part) {
      if (unreadable.errorOf(question) === undefined)
        log.error({ err: cause, part: part.name }, 'internal error in a part of the collector')
      unreadable.failed(question, toSourceError(cause))
    },
    forget,
  })
}
