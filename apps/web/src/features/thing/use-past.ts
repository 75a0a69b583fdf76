import { getHistoryChanges, getHistorySeries, getHistoryState, type Guest, type Node } from '@pulse/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Api } from '../../api/client.ts'
import { useApi } from '../../api/api.tsx'
import { useMoment } from '../../lib/moment.tsx'
import type { ThingKind } from './thing.ts'

/** What the history has of a thing without a record. */
export interface Past {
  /** undefined: older than the changes that are kept */
  name: string | undefined
  /** epoch ms of its removal, or of its last sample */
  lastSeenAt: number
  /** its last state */
  record: Guest | Node | undefined
  /** it has samples of a time that the log of changes does not reach, and no change */
  isBeforeLog: boolean
}

const dayMs = 86_400_000
const points = 2_000

interface Asked {
  api: Api
  kind: ThingKind
  id: string
  now: number
  signal: AbortSignal
}

/** `later`: the history has it only after the moment of the page. `null`: it has nothing. */
export type Found = Past | 'later' | null

/** What was before the moment of the page. */
export function usePast(kind: ThingKind, id: string) {
  const api = useApi()
  const moment = useMoment()
  return useQuery({
    queryKey: ['past', kind, id, moment],
    async queryFn({ signal }): Promise<Found> {
      const asked = { api, kind, id, signal }
      const past = await readPast({ ...asked, now: moment ?? Date.now() })
      if ((past && !past.isBeforeLog) || moment === undefined || id === '') return past
      // Where the log begins, there are samples of things that it does not have yet.
      return (await isLater(asked, moment)) ? 'later' : past
    },
    ...(moment !== undefined && { placeholderData: keepPreviousData }),
  })
}

async function isLater(asked: Omit<Asked, 'now'>, moment: number): Promise<boolean> {
  const now = Date.now()
  const { last } = await lastChange({ ...asked, now }, moment)
  return last !== undefined || (await lastSampleAt({ ...asked, now }, moment, now)) !== undefined
}

async function readPast(asked: Asked): Promise<Past | null> {
  if (asked.id === '') return null
  const { last, oldest } = await lastChange(asked)
  if (last)
    return {
      name: last.name,
      lastSeenAt: last.at,
      record: await recordAt(asked, last.at - 1, oldest),
      isBeforeLog: false,
    }
  // its removal is no change if its connection was new
  const { now } = asked
  const at =
    (await lastSampleAt(asked, now - dayMs, now)) ??
    (oldest !== undefined && oldest < now ? await lastSampleAt(asked, oldest, now) : undefined) ??
    (await lastSampleEver(asked))
  if (at === undefined) return null
  const record = await recordAt(asked, at, oldest)
  return { name: record?.name, lastSeenAt: at, record, isBeforeLog: oldest === undefined || at <= oldest }
}

/** In the longest tier, however long that is kept; then in the finest one that has the time around it. */
async function lastSampleEver(asked: Asked): Promise<number | undefined> {
  const about = await lastSampleAt(asked, 0, asked.now)
  if (about === undefined) return undefined
  const end = Math.min(asked.now, about + Math.ceil(asked.now / points) + dayMs)
  return (await lastSampleAt(asked, Math.max(0, about - dayMs), end)) ?? about
}

/** The newest change. A page without any may have a successor. */
async function lastChange({ api, kind, id, now, signal }: Asked, from = 0) {
  let cursor: string | undefined
  let oldest: number | undefined
  do {
    // `to` is exclusive
    const query = { kind, id, from, to: now + 1, limit: 1, ...(cursor !== undefined && { cursor }) }
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
async function lastSampleAt({ api, kind, id, signal }: Asked, from: number, to: number) {
  const query = { kind, ids: id, fields: 'cpu', from, to, points }
  const { series } = await api.call(getHistorySeries, { query, signal })
  const times = series.flatMap(({ points, gaps }) => [
    ...points.map(({ at }) => at),
    ...gaps.flatMap(({ reason, to }) => (reason === 'off' ? [] : [to - 1])),
  ])
  return times.length === 0 ? undefined : Math.max(...times)
}
