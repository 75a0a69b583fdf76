import { getHistoryChanges, type QueryOf, type ReplyOf } from '@pulse/contract'
import type { Api } from '../../api/client.ts'

type Query = QueryOf<typeof getHistoryChanges> & { limit: number }

/** Each covers two weeks in which something changed every minute. So many cover the 90 days that changes are kept at most. */
const mostAnswers = 7

/** Changes, newest first, up to the limit. With a cursor there may be older ones. */
export async function readChanges(
  api: Api,
  query: Query,
  signal: AbortSignal,
): Promise<ReplyOf<typeof getHistoryChanges>> {
  const { cursor: next, ...first } = await api.call(getHistoryChanges, { query, signal })
  const changes = [...first.changes]
  let cursor = next
  for (let answers = 1; answers < mostAnswers; answers++) {
    if (cursor === undefined || changes.length >= query.limit) break
    const rest = { ...query, cursor, limit: query.limit - changes.length }
    const page = await api.call(getHistoryChanges, { query: rest, signal })
    changes.push(...page.changes)
    cursor = page.cursor
  }
  return { ...first, changes, ...(cursor !== undefined && { cursor }) }
}
