import type { Observation } from '@pulse/domain'
import type { Deadline } from '../../polling/loop.ts'
import type { PartRun } from '../../polling/part.ts'
import type { Part, PartLoop } from '../part.ts'
import type { SharedByRecords } from '../publish-source.ts'
import type { Source } from '../watch-source.ts'
import type { Limits } from './call.ts'

export type HostPart<Cache> = Part<HostContext<Cache>, HostRun>

export interface HostRun extends PartRun<PartLoop> {
  /** All its records, by the kinds that it publishes. Unchanged records and maps keep their identity. */
  records?(context: RecordContext): Observation['records']
}

export interface AskHost {
  limits?: Limits
  /** Gets the entries of a list as they arrive. The call then returns nothing. */
  each?: (entry: unknown) => void
}

/** Shared by the parts of one connection. */
export interface HostContext<Cache> extends Source {
  /** epoch ms, by the wall clock */
  now: () => number
  /** id of the connection */
  source: string
  /** its current name */
  name: () => string
  /** data that the parts share */
  cache: Cache
  /** from its latest answer */
  version: () => string | undefined
  get(path: string, signal: AbortSignal, how?: AskHost): Promise<unknown>
  /** Resolves when a call fits into the budget. With `deadline`, the wait does not count against it. */
  turn(signal: AbortSignal, deadline?: Deadline): Promise<void>
  /** Sets the number of items that are queried individually. */
  counts(each: number): void
  /** Makes the other parts, or one of them, poll again at once. */
  wake(part?: string): void
  /** Publishes the current data soon. Resolves when that is done. */
  publish(): Promise<void>
}

/** Fields shared by all records of a connection. */
export interface RecordContext extends SharedByRecords {
  host: string
  version: string | undefined
  /** the time of the host's latest answer, epoch ms */
  answeredAt: number
}
