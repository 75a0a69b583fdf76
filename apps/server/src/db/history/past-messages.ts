import type { ChangeEntry, NoticeCounts, NoticePage, NoticeQuery } from '@pulse/domain'
import type { Slice } from '@pulse/contract'

export interface StateQuery {
  at: number
  slice: Slice
  /** the tier that has samples of that time */
  tier: 'raw' | 'minute'
  gzip: boolean
}

export type PastRequest =
  | { id: number; do: 'log'; now: number; entries: ChangeEntry[] }
  | { id: number; do: 'state'; query: StateQuery }
  | ChangesRequest

/** `id`: all, or of one thing */
export interface ThingQuery extends Omit<NoticeQuery, 'ids'> {
  id?: string | undefined
}

export interface ChangesRequest {
  id: number
  do: 'changes'
  query: ThingQuery
  /** of the last thing that came to have the id of the query before this time */
  asOf?: number
  isCounted: boolean
}

/** `isOpen`: something is not durable yet. `lost`: why the file did not take what was open. */
export interface Logged {
  isOpen: boolean
  lost?: string
}

export type PastResult =
  | { do: 'log'; logged: Logged }
  /** JSON of the answer; without it, the log does not reach back that far */
  | { do: 'state'; oldest: number | undefined; body: Uint8Array | undefined }
  | { do: 'changes'; oldest: number | undefined; page: NoticePage; counts: NoticeCounts | undefined }
