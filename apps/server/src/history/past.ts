import {
  getHistoryChanges,
  getHistoryState,
  type HistoryChange,
  type PastState,
  type QueryOf,
  type RecordKind,
  type StorageGrowth,
} from '@pulse/contract'
import {
  type Clock,
  isSample,
  precisionOf,
  type Sample,
  type SampledField,
  sampledFields,
  type Tables,
  type TimedBucket,
  isSummary,
  usualKeepMs,
} from '@pulse/domain'
import { AppError } from '../app-error.ts'
import { acceptsGzip, RawReply, route, type Route } from '../http/route.ts'
import type { Mask } from '../masking/mask.ts'
import type { History } from './history.ts'

/** Far enough apart that every storage has a sample. */
const edgeMs = 15 * 60_000
const mostGrown = 10
const usualPage = 100

export interface PastEdges {
  history: Pick<History, 'ask' | 'samples' | 'buckets'>
  /** with the ids that the history has */
  tables: Tables
  mask: Mask | undefined
  clock: Clock
}

type Changes = { oldest?: number; changes: HistoryChange[]; grown?: StorageGrowth[]; cursor?: string }

/** The estate as it was, and what changed. */
export function pastRoutes(edges: PastEdges): Route[] {
  const { history, tables, mask, clock } = edges
  const tierAt = (at: number) => (clock.now() - at < usualKeepMs.raw! ? 'raw' : 'minute')

  async function changes(query: QueryOf<typeof getHistoryChanges>): Promise<Changes> {
    const { from, to, id, cursor, limit = usualPage } = query
    const kind = query.kind as RecordKind | undefined
    if (from >= to) throw new AppError('validation_failed', 'from: The time must be before "to".')
    if (id !== undefined && kind === undefined)
      throw new AppError('validation_failed', 'kind: Name the kind of the record with that id.')
    const asked = id === undefined ? undefined : shownBy(kind!, id)
    const { page, oldest } = await history.ask({
      do: 'changes',
      query: { from, to, kind, id: asked, cursor, most: limit },
    })
    const isFirst = cursor === undefined && id === undefined
    return {
      ...(oldest !== undefined && { oldest }),
      changes: page.notices.map((notice) => ({ ...notice, id: mask?.id(notice.id) ?? notice.id })),
      ...(isFirst && { grown: await grown(edges, from, Math.min(to, clock.now()), tierAt(from)) }),
      ...(page.cursor !== undefined && { cursor: page.cursor }),
    }
  }

  /** In a demonstration, callers have substitutes of ids. */
  function shownBy(kind: RecordKind, id: string): string {
    if (!mask) return id
    for (const own of tables[kind].keys()) if (mask.id(own) === id) return own
    return id
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

const tooOld = (oldest: number | undefined) =>
  new AppError(
    'validation_failed',
    oldest === undefined
      ? 'at: No state was recorded yet. The first one follows within a minute.'
      : `at: The history of states begins at ${new Date(oldest).toISOString()}.`,
  )

/** Records are masked as part of every answer; their ids need substitutes that stay different. */
function masked(state: PastState, mask: Mask): PastState {
  const index = Object.entries(state.frame.index).map(([kind, ids]) => [kind, ids.map((id) => mask.id(id))])
  return {
    ...state,
    frame: { ...state.frame, index: Object.fromEntries(index) as PastState['frame']['index'] },
  }
}

const usedOf = (kind: 'storage' | 'datastores') =>
  sampledFields.find((field) => field.kind === kind && field.name === 'used')!

/** The storages whose used space grew most, by what was measured first and last. */
async function grown(
  { history, tables, mask }: PastEdges,
  from: number,
  to: number,
  tier: 'raw' | 'minute',
): Promise<StorageGrowth[]> {
  const found: StorageGrowth[] = []
  for (const kind of ['storage', 'datastores'] as const) {
    const records = [...(tables[kind] as ReadonlyMap<string, { name: string }>)]
    const ids = records.map(([id]) => id)
    const first = await ends(history, usedOf(kind), ids, from, Math.min(to, from + edgeMs), tier)
    const last = await ends(history, usedOf(kind), ids, Math.max(from, to - edgeMs), to, tier)
    for (const [n, [id, { name }]] of records.entries()) {
      const [before, after] = [first[n]!.at(0), last[n]!.at(-1)]
      if (before === undefined || after === undefined || after <= before) continue
      found.push({ kind, id: mask?.id(id) ?? id, name, from: before, to: after })
    }
  }
  return found.toSorted((a, b) => b.to - b.from - (a.to - a.from)).slice(0, mostGrown)
}

/** The values of a time, in the order of time. */
async function ends(
  history: PastEdges['history'],
  field: SampledField,
  ids: readonly string[],
  from: number,
  to: number,
  tier: 'raw' | 'minute',
): Promise<number[][]> {
  const { fromStored } = precisionOf[field.unit]
  const all =
    tier === 'raw'
      ? (await history.samples(field, ids, from, to)).map((samples) => samples.flatMap(storedOf))
      : (await history.buckets(field, ids, tier, from, to)).map((buckets) => buckets.flatMap(lastOf))
  return all.map((values) => values.map(fromStored))
}

const storedOf = ({ stored }: Sample) => (isSample(stored) ? [stored] : [])
const lastOf = ({ bucket }: TimedBucket) => (isSummary(bucket) ? [bucket.last] : [])
