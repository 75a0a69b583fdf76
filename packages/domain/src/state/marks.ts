import type { AnyRecord, RecordKind, SourceState } from '@pulse/contract'

/** What the records of a source show while nothing confirms them. */
export interface Mark {
  since: number
  health: 'error' | 'unknown'
}

/** The state of a source that broke its promise. One that has only begun is not known to be unreachable. */
export function overdue(state: SourceState, error = state.error): SourceState {
  if (state.health === 'unknown') return state
  return { ...state, health: 'error', error: error ?? 'No answer came in time.' }
}

/** An unconfirmed source is shown with the moment since when it is. */
export const withMoments = (state: SourceState): SourceState =>
  isUnconfirmed(state) ? { ...state, ...momentsOf(state) } : state

export type Moments = Pick<SourceState, 'lastSeen' | 'listedAt' | 'staleSince'>

/** When something was last right of a source, and since when nothing is. */
export function momentsOf({ lastSeen, listedAt, staleSince = listedAt ?? lastSeen }: Moments): Moments {
  const moments = { lastSeen, listedAt, staleSince }
  return Object.fromEntries(Object.entries(moments).filter(([, at]) => at !== undefined))
}

/** Nothing confirms what the source said before. */
export const isUnconfirmed = ({ health }: SourceState): boolean => health === 'error' || health === 'unknown'

export const markOf = (shown: SourceState): Mark | undefined =>
  isUnconfirmed(shown) && shown.staleSince !== undefined
    ? { since: shown.staleSince, health: shown.health as Mark['health'] }
    : undefined

/** A node that its cluster called off stays off. A gateway has a word for it of its own. */
export function marked(kind: RecordKind, record: AnyRecord, { since, health }: Mark): AnyRecord {
  const { staleSince = since, connectionHealth } = record as {
    staleSince?: number
    connectionHealth?: string
  }
  const isJudged = connectionHealth !== undefined && connectionHealth !== 'offline'
  return {
    ...record,
    staleSince: Math.min(staleSince, since),
    ...(isJudged && { connectionHealth: health }),
    ...(kind === 'pmg' && health === 'error' && { status: 'offline' }),
  } as AnyRecord
}
