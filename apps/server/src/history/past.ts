import {
  type ChangeCount,
  changeWords,
  getHistoryChanges,
  getHistoryState,
  type HistoryChange,
  type PastState,
  type QueryOf,
  recordKinds,
  type StorageGrowth,
} from '@pulse/contract'
import type { Clock, KeepMs, Tables } from '@pulse/domain'
import { AppError } from '../app-error.ts'
import { acceptsGzip, RawReply, route, type Route } from '../http/route.ts'
import type { Mask } from '../masking/mask.ts'
import { grownMost } from './growth.ts'
import type { History } from './history.ts'
import { learnNotices, learnRecords, realIds } from './masked-reads.ts'

const usualPage = 100

export interface PastEdges {
  history: Pick<History, 'ask' | 'edgeValues'>
  /** with the ids that the history has */
  tables: Tables
  mask: Mask | undefined
  clock: Clock
  /** how long each tier reaches back */
  reachMs: () => KeepMs
}

interface Changes {
  now: number
  oldest?: number
  changes: HistoryChange[]
  grown?: StorageGrowth[]
  counts?: ChangeCount[]
  isCountPartial?: boolean
  cursor?: string
}

/** The estate as it was, and what changed. */
export function pastRoutes(edges: PastEdges): Route[] {
  const { history, tables, mask, clock, reachMs } = edges
  const realId = mask && realIds(tables, mask)
  const tierAt = (at: number) => (clock.now() - at < reachMs().raw ? 'raw' : 'minute')

  async function changes(query: QueryOf<typeof getHistoryChanges>): Promise<Changes> {
    const { from, to, id, asOf = to, cursor, limit = usualPage } = query
    const kinds = listed('kind', query.kind, recordKinds())
    const words = listed('what', query.what, changeWords)
    if (from >= to) throw new AppError('validation_failed', 'from: The time must be before "to".')
    if (id !== undefined && kinds?.length !== 1)
      throw new AppError('validation_failed', 'kind: Name the kind of the record with that id.')
    const asked = id !== undefined && realId ? realId(kinds![0]!, id) : id
    const isFirst = cursor === undefined && id === undefined
    const now = clock.now()
    const { page, oldest, counts } = await history.ask({
      do: 'changes',
      query: { from, to, kinds, words, id: asked, cursor, most: limit },
      asOf,
      isCounted: isFirst,
    })
    if (mask) learnNotices(mask, page.notices)
    const shownId = mask ? mask.id : (own: string) => own
    return {
      now,
      ...(oldest !== undefined && { oldest }),
      changes: page.notices.map((notice) => ({ ...notice, id: shownId(notice.id) })),
      ...(isFirst && { grown: await grown(Math.max(from, oldest ?? 0), to) }),
      ...(counts && { counts: counts.counts, ...(!counts.isWhole && { isCountPartial: true }) }),
      ...(page.cursor !== undefined && { cursor: page.cursor }),
    }
  }

  async function grown(from: number, to: number): Promise<StorageGrowth[]> {
    const found = await grownMost({ history, tables }, from, Math.min(to, clock.now()), tierAt(from))
    return mask ? found.map((one) => ({ ...one, id: mask.id(one.id) })) : found
  }

  return [
    route(getHistoryState, async ({ query, caller }) => {
      const at = Math.min(query.at, clock.now())
      const gzip = !mask && acceptsGzip(caller)
      const { body, oldest } = await history.ask({
        do: 'state',
        query: { at, slice: query.slice ?? 'live', tier: tierAt(at), gzip },
      })
      if (!body) throw tooOld(oldest)
      if (mask) return masked(JSON.parse(Buffer.from(body).toString()) as PastState, mask)
      const headers = gzip ? { 'content-encoding': 'gzip', vary: 'accept-encoding' } : {}
      return new RawReply(Buffer.from(body), headers)
    }),
    route(getHistoryChanges, ({ query }) => changes(query)),
  ]
}

/** The values of a list in the query; undefined: all. */
function listed<T extends string>(
  name: string,
  text: string | undefined,
  values: readonly T[],
): T[] | undefined {
  return text?.split(',').map((word) => {
    const known = values.find((value) => value === word)
    if (known !== undefined) return known
    throw new AppError('validation_failed', `${name}: There is no "${word.slice(0, 100)}".`)
  })
}

const tooOld = (oldest: number | undefined) =>
  new AppError(
    'validation_failed',
    oldest === undefined
      ? 'at: No state was recorded yet. The first one follows within a minute.'
      : `at: The history of states begins at ${new Date(oldest).toISOString()}.`,
  )

/** Records are masked as part of every answer; their ids need substitutes that stay different. */
function masked(state: PastState, mask: Mask): PastState {
  learnRecords(mask, state.frame.state)
  const index = Object.entries(state.frame.index).map(([kind, ids]) => [kind, ids.map((id) => mask.id(id))])
  return {
    ...state,
    frame: { ...state.frame, index: Object.fromEntries(index) as PastState['frame']['index'] },
  }
}
