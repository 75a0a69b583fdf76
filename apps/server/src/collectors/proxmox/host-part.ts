import type { Observation } from '@pulse/domain'
import type { Deadline } from '../../polling/loop.ts'
import type { PartRun } from '../../polling/part-runner.ts'
import type { Part, PartLoop } from '../part.ts'
import type { SharedByRecords } from '../publish-source.ts'
import type { Source } from '../watch-source.ts'
import type { Limits } from './call.ts'

export type HostPart<Cache> = Part<HostContext<Cache>, HostRun>

export interface HostRun extends PartRun<PartLoop> {
  /** All it knows, by the kinds it publishes. What did not change keeps its identity, records and maps alike. */
  records?(context: RecordContext): Observation['records']
}

export interface AskHost {
  limits?: Limits
  /** Takes the entries of a list as they come in; nothing is returned then. */
  each?: (entry: unknown) => void
}

/** What the parts of one connection share. */
export interface HostContext<Cache> extends Source {
  /** epoch ms, as people see it */
  now: () => number
  /** id of the connection */
  source: string
  /** as it is called now */
  name: () => string
  /** where they put what one needs of another */
  cache: Cache
  /** as it said with its last answer */
  version: () => string | undefined
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
export interface RecordContext extends SharedByRecords {
  host: string
  version: string | undefined
  /** when the host last answered, epoch ms */
  answeredAt: number
}
