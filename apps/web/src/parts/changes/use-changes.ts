import { getHistoryChanges, type HistoryChange, type QueryOf, type ReplyOf } from '@pulse/contract'
import { type InfiniteData, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api.tsx'
import { useClock, useMoment } from '../../lib/moment.tsx'
import type { Span } from '../../lib/times.ts'
import { readChanges } from './read-changes.ts'

type Query = QueryOf<typeof getHistoryChanges>

interface Wanted {
  /** identifies the time: the same as long as it means the same */
  key: string
  /** the time, at each first page; the past knows nothing after its moment */
  span: (now: number) => Span
  filter: Pick<Query, 'kind' | 'what' | 'id'>
  pageSize: number
  /** looks for newer changes while only the first page is shown, but not in the past */
  renewMs?: number | undefined
}

export interface ChangesPage extends ReplyOf<typeof getHistoryChanges> {
  /** the time that was asked for */
  from: number
  to: number
}

/** What changed, newest first, in pages that are loaded on demand. */
export function useChanges({ key, span, filter, pageSize, renewMs }: Wanted) {
  const api = useApi()
  const clock = useClock()
  const moment = useMoment()
  return useInfiniteQuery({
    queryKey: [getHistoryChanges.path, key, filter, pageSize, moment],
    initialPageParam: undefined as Pick<Query, 'from' | 'to' | 'cursor'> | undefined,
    async queryFn({ pageParam, signal, client, queryKey }): Promise<ChangesPage> {
      const { from, to, cursor } = pageParam ?? { ...untilMoment(span(clock()), moment), cursor: undefined }
      const known = client.getQueryData<InfiniteData<ChangesPage>>(queryKey)?.pages
      if (!pageParam && filter.id !== undefined && known?.length === 1) {
        const renewed = await renew(known[0]!, { from, to }, (query) =>
          readChanges(api, { ...query, ...filter, limit: pageSize }, signal),
        )
        if (renewed) return renewed
      }
      const query = { from, to, ...filter, limit: pageSize, ...(cursor !== undefined && { cursor }) }
      // the next changes of one thing may be far back
      const read =
        filter.id === undefined
          ? api.call(getHistoryChanges, { query, signal })
          : readChanges(api, query, signal)
      return { ...(await read), from, to }
    },
    // all pages are of the same time, so that none overlaps another
    getNextPageParam: ({ from, to, cursor }) => (cursor === undefined ? undefined : { from, to, cursor }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      renewMs !== undefined && moment === undefined && state.data?.pages.length === 1 ? renewMs : false,
  })
}

/** A change is in the log some moments after it happened. */
const lateMs = 10 * 60_000
/** so many pages; a list that has grown longer is read again */
const mostKnown = 100

/**
 * The first page with what has happened since it was read: looking for the changes of one thing among those of a whole
 * estate is much work. Undefined if all has to be read.
 */
async function renew(
  known: ChangesPage,
  span: Span,
  read: (span: Span) => Promise<ReplyOf<typeof getHistoryChanges>>,
): Promise<ChangesPage | undefined> {
  // The clock of the browser may be ahead of the server's.
  const from = Math.min(known.to, known.now) - lateMs
  if (from <= span.from || from >= span.to || known.changes.length > mostKnown) return undefined
  const fresh = await read({ from, to: span.to })
  // More of them than a page, or the log is another one.
  if (fresh.cursor !== undefined || fresh.oldest !== known.oldest) return undefined
  // What is known may be about the guest that had the id before.
  if (fresh.changes.some(({ what }) => what === 'came' || what === 'renamed')) return undefined
  const before = known.changes.filter(({ at }) => at < from && at >= span.from)
  return { ...known, ...span, now: fresh.now, changes: [...fresh.changes, ...before] }
}

/** `to` is exclusive, and what happened at the moment belongs to it. */
export const untilMoment = ({ from, to }: Span, moment: number | undefined): Span =>
  moment === undefined ? { from, to } : { from: Math.min(from, moment), to: Math.min(to, moment + 1) }

export const allChanges = (pages: readonly ChangesPage[] | undefined): readonly HistoryChange[] =>
  pages?.flatMap(({ changes }) => changes) ?? []
