import type { MonitorFlag, RecordKind, SourceState } from '@pulse/contract'
import type { Clock, Observation } from '@pulse/domain'
import type { Logger } from 'pino'
import type { CallShare } from '../../polling/call-budget.ts'
import type { Deadline } from '../../polling/loop.ts'
import type { PartLoop, PartRun } from '../../polling/part-runner.ts'
import type { Pace } from '../source.ts'
import type { SourceHealth } from '../source-health.ts'
import type { Limits } from './call.ts'

/** One family of facts about a source that is one machine: what it asks, what that may cost, and what it tells. */
export interface HostPart<Cache> {
  /** unique: the name of its share in the budget */
  name: string
  /** any of these switches of a connection wants it; absent: it is always on */
  flags?: readonly MonitorFlag[]
  calls: CallShare
  /** the kinds of record that it publishes, and no other part */
  kinds?: readonly RecordKind[]
  start(context: HostContext<Cache>): HostRun
}

export interface HostRun extends PartRun<HostLoop> {
  /** All it knows, by the kinds it publishes. What did not change keeps its identity, records and maps alike. */
  records?(context: RecordContext): Observation['records']
}

/** A question that is asked while the host answers. */
export interface HostLoop extends PartLoop {
  intervalMs?: () => number
  /** absent: yes */
  isWanted?: () => boolean
  /** the right without which it is refused */
  right?: string
  run(signal: AbortSignal, deadline: Deadline): Promise<void>
}

export interface AskHost {
  limits?: Limits
  /** Takes the entries of a list as they come in; nothing is returned then. */
  each?: (entry: unknown) => void
}

/** What the parts of one connection share. */
export interface HostContext<Cache> {
  clock: Clock
  /** epoch ms, as people see it */
  now: () => number
  log: Logger
  /** id of the connection */
  source: string
  /** as it is called now */
  name: () => string
  /** where they put what one needs of another */
  cache: Cache
  /** as it said with its last answer */
  version: () => string | undefined
  health: SourceHealth
  pace: () => Pace
  isOn: (flag: MonitorFlag) => boolean
  get(path: string, signal: AbortSignal, how?: AskHost): Promise<unknown>
  /** Resolves when a call fits into the budget; with `deadline`, that one does not count the wait. */
  turn(signal: AbortSignal, deadline?: Deadline): Promise<void>
  /** How many things are asked for one by one. */
  counts(each: number): void
  /** Asks again at once what the other parts ask, or one of them. */
  wake(part?: string): void
  /** Shows what is known, soon; resolves when that was done. */
  publish(): Promise<void>
}

/** What all records of a connection share. */
export interface RecordContext {
  source: string
  name: string
  host: string
  version: string | undefined
  health: SourceState['health']
  /** what to add to a monotonic moment for epoch ms */
  wallOffset: number
  /** when the host last answered, epoch ms */
  answeredAt: number
}

/** Epoch ms of a monotonic moment. */
export const shownAt = (at: number, { wallOffset }: Pick<RecordContext, 'wallOffset'>): number =>
  Math.round(at + wallOffset)
