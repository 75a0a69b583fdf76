import type { AnyRecord, RecordKind, SourceState } from '@pulse/contract'

/** Marks the records of a source while nothing confirms them. */
export interface Mark {
  since: number
  health: 'error' | 'unknown'
}

/**
 * The state of a source that missed its promise. A source that has just started is not known to be
 * unreachable.
 */
export function overdue(state: SourceState, error = state.error): SourceState {
  if (state.health === 'unknown') return state
  return { ...state, health: 'error', error: error ?? 'No answer came in time.' }
}

/** The state of a source whose site is unreachable. Whether the source answers its collector is unknown. */
export function behindLostSite(state: SourceState, siteUnreachableSince: number): SourceState {
  const { error: _error, refused: _refused, untrusted: _untrusted, ...rest } = state
  return { ...rest, health: 'unknown', siteUnreachableSince }
}
/**
 * The state of a source that another process collects, and of which nothing is heard. The line to that process may be cut, or
 * it may have ended: that says nothing about the source.
 */
export const unheard = (state: SourceState): SourceState => ({
  ...state,
  health: 'unknown',
  error: 'No word from the process that collects it.',
})

/** Adds the moment since when an unconfirmed source has been unconfirmed. */
export const withMoments = (state: SourceState): SourceState =>
  isUnconfirmed(state) ? { ...state, ...momentsOf(state) } : state

export type Moments = Pick<SourceState, 'lastSeen' | 'listedAt' | 'staleSince'>

/** When the source's data was last right, and since when it is stale. */
export function momentsOf({ lastSeen, listedAt, staleSince = listedAt ?? lastSeen }: Moments): Moments {
  const moments = { lastSeen, listedAt, staleSince }
  return Object.fromEntries(Object.entries(moments).filter(([, at]) => at !== undefined))
}

/** Nothing confirms the earlier data of the source. */
export const isUnconfirmed = ({ health }: SourceState): boolean => health === 'error' || health === 'unknown'

/**
 * What a source says of itself, with the moments of the records that are still there: a collector without an answer knows
 * nothing about those of the run before. They stay, with their age. `earlier`: what was said before that run.
 */
export function heard(
  state: SourceState,
  hasRecords: boolean,
  before: { state?: SourceState | undefined; earlier?: Moments | undefined },
): { state: SourceState; earlier: Moments | undefined } {
  let { earlier } = before
  if (!isUnconfirmed(state) || hasRecords) earlier = undefined
  else if (state.lastSeen === undefined) earlier ??= before.state
  return { state: earlier ? { ...momentsOf(earlier), ...state } : state, earlier }
}

export const markOf = (shown: SourceState): Mark | undefined =>
  isUnconfirmed(shown) && shown.staleSince !== undefined
    ? { since: shown.staleSince, health: shown.health as Mark['health'] }
    : undefined

/** A node that its cluster reports as offline stays offline. A gateway has a status of its own for this. */
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
