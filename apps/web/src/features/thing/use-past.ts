import { getHistoryChanges, getHistorySeries, getHistoryState, type Guest, type Node } from '@pulse/contract'
import { useQuery } from '@tanstack/react-query'
import type { Api } from '../../api/client.ts'
import { useApi } from '../../api/api.tsx'
import type { ThingKind } from './thing.ts'

/** What the history has of a thing without a record. */
export interface Past {
  /** undefined: older than the changes that are kept */
  name: string | undefined
  /** epoch ms of its removal, or of its last sample */
  lastSeenAt: number
  /** its last state */
  record: Guest | Node | undefined
}

const dayMs = 86_400_000
/** As long as states are kept. */
const statesMs = 14 * dayMs
/** As long as quarter hours are kept; a little longer, to find the last of them. */
const samplesMs = 400 * dayMs

interface Asked {
  api: Api
  kind: ThingKind
  id: string
  now: number
  signal: AbortSignal
}

/** `null`: the history has nothing either. */
export function usePast(kind: ThingKind, id: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['past', kind, id],
    queryFn: ({ signal }) => readPast({ api, kind, id, now: Date.now(), signal }),
  })
}

async function readPast(asked: Asked): Promise<Past | null> {
  if (asked.id === '') return null
  const { last, oldest } = await lastChange(asked)
  if (last)
    return { name: last.name, lastSeenAt: last.at, record: await recordAt(asked, last.at - 1, oldest) }
  // its removal is no change if its connection was new
  const at = (await lastSampleAt(asked, dayMs)) ?? (await lastSampleAt(asked, statesMs))
  if (at !== undefined) {
    const record = await recordAt(asked, at, oldest)
    return { name: record?.name, lastSeenAt: at, record }
  }
  const longAgo = await lastSampleAt(asked, samplesMs)
  return longAgo === undefined ? null : { name: undefined, lastSeenAt: longAgo, record: undefined }
}

/** The newest change. A page without any may have a successor. */
async function lastChange({ api, kind, id, now, signal }: Asked) {
  let cursor: string | undefined
  let oldest: number | undefined
  do {
    const query = { kind, id, from: 0, to: now, limit: 1, ...(cursor !== undefined && { cursor }) }
    const page = await api.call(getHistoryChanges, { query, signal })
    oldest = page.oldest
    if (page.changes[0]) return { last: page.changes[0], oldest }
    cursor = page.cursor
  } while (cursor !== undefined)
  return { last: undefined, oldest }
}

/** `oldest`: states of before are refused. */
async function recordAt(
  { api, kind, id, signal }: Asked,
  at: number,
  oldest: number | undefined,
): Promise<Guest | Node | undefined> {
  if (oldest === undefined || at < oldest) return undefined
  const { frame } = await api.call(getHistoryState, { query: { at, slice: 'live' }, signal })
  const place = frame.index[kind]?.indexOf(id) ?? -1
  return frame.state[kind]?.[place] as Guest | Node | undefined
}

/** A thing that was stopped or silent was there, too. */
async function lastSampleAt({ api, kind, id, now, signal }: Asked, spanMs: number) {
  const query = { kind, ids: id, fields: 'cpu', from: now - spanMs, to: now, points: 2_000 }
  const { series } = await api.call(getHistorySeries, { query, signal })
  const times = series.flatMap(({ points, gaps }) => [
    ...points.map(({ at }) => at),
    ...gaps.flatMap(({ reason, to }) => (reason === 'off' ? [] : [to - 1])),
  ])
  return times.length === 0 ? undefined : Math.max(...times)
}
