import { getHistoryChanges, getHistorySeries, getHistoryState, type Guest, type Node } from '@pulse/contract'
import { useQuery } from '@tanstack/react-query'
import type { Api } from '../../api/client.ts'
import { useApi } from '../../api/api.tsx'
import type { ThingKind } from './thing.ts'

/** What the history has of a thing without a record. */
export interface Past {
  /** the last one that was noted */
  name: string | undefined
  /** epoch ms of its removal, if that was noted */
  goneAt: number | undefined
  /** its last state */
  record: Guest | Node | undefined
}

/** The coarsest figures that are not kept for ever end after 13 months. */
const longestMs = 400 * 86_400_000

/** `null`: the history has nothing either. */
export function usePast(kind: ThingKind, id: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['past', kind, id],
    queryFn: ({ signal }) => readPast(api, kind, id, signal),
  })
}

async function readPast(api: Api, kind: ThingKind, id: string, signal: AbortSignal): Promise<Past | null> {
  const now = Date.now()
  const last = id === '' ? undefined : await lastChange(api, kind, id, now, signal)
  if (last) {
    const goneAt = last.what === 'went' ? last.at : undefined
    const record = await recordBefore(api, kind, id, goneAt ?? last.at, signal)
    return { name: last.name, goneAt, record }
  }
  const isSampled = id !== '' && (await hasSamples(api, kind, id, now, signal))
  return isSampled ? { name: undefined, goneAt: undefined, record: undefined } : null
}

/** The newest change. A page that is empty may have a successor. */
async function lastChange(api: Api, kind: ThingKind, id: string, to: number, signal: AbortSignal) {
  let cursor: string | undefined
  do {
    const query = { kind, id, from: 0, to, limit: 1, ...(cursor !== undefined && { cursor }) }
    const page = await api.call(getHistoryChanges, { query, signal })
    if (page.changes[0]) return page.changes[0]
    cursor = page.cursor
  } while (cursor !== undefined)
  return undefined
}

async function recordBefore(
  api: Api,
  kind: ThingKind,
  id: string,
  at: number,
  signal: AbortSignal,
): Promise<Guest | Node | undefined> {
  const { frame } = await api.call(getHistoryState, { query: { at: at - 1, slice: 'live' }, signal })
  const place = frame.index[kind]?.indexOf(id) ?? -1
  return frame.state[kind]?.[place] as Guest | Node | undefined
}

async function hasSamples(api: Api, kind: ThingKind, id: string, now: number, signal: AbortSignal) {
  const query = { kind, ids: id, fields: 'cpu', from: now - longestMs, to: now, points: 3 }
  const { series } = await api.call(getHistorySeries, { query, signal })
  return series.some(({ points }) => points.length > 0)
}
