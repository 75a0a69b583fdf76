import { EndReason } from '@pulse/contract'
import type { EpisodeEnd } from '@pulse/domain'
import { sql } from 'kysely'
import type { Database } from './database.ts'
import { pages, tablePages } from './pages.ts'
import type { AlertHistoryRow, AlertRow } from './schema.ts'

/** A filter of the history; start times in epoch ms. */
export interface HistoryFilter {
  from?: number | undefined
  to?: number | undefined
  level?: string | undefined
  resource?: { ids: readonly string[]; keys: readonly string[] } | undefined
}

/** A statement has a limited number of parameters. */
const namesAtOnce = 500

/** The row after which the next page starts. */
export type HistoryCursor = Pick<AlertHistoryRow, 'started_at' | 'episode'>

export interface AlertStore {
  /** Page by page, because the list may be long. */
  all(): AsyncIterable<AlertRow[]>
  memory(): Promise<string | undefined>
  setMemory(value: string): Promise<void>
  /** Writes all rows in one transaction. */
  write(rows: { alerts: readonly AlertRow[]; history: readonly AlertHistoryRow[] }): Promise<void>
  /** Forgets alerts that were resolved before this time, then the oldest ones beyond `most`. */
  forgetResolved(beforeMs: number, most: number): Promise<void>
  /** Entries of episodes that have not ended. */
  openHistory(): AsyncIterable<AlertHistoryRow[]>
  /** Newest first. A page of long rows has fewer than `limit` rows. */
  history(
    filter: HistoryFilter,
    page: { limit: number; offset?: number; after?: HistoryCursor | undefined },
  ): Promise<AlertHistoryRow[]>
  /** When and why these episodes ended; contains only episodes that are known and have ended. */
  endsOf(episodes: readonly string[]): Promise<ReadonlyMap<string, EpisodeEnd>>
  countHistory(filter?: HistoryFilter): Promise<number>
  clearHistory(): Promise<void>
  /** Deletes entries that ended before this time, then the oldest ones beyond `most`. */
  trimHistory(beforeMs: number, most: number): Promise<void>
}

/** Texts of a stored alert; empty if the alert is unreadable. */
function endOf(alert: string): { reason?: unknown; note?: unknown } {
  try {
    const { endReason: reason, endNote: note } = JSON.parse(alert) as Record<string, unknown>
    return { reason, note }
  } catch {
    return {}
  }
}

export function alertStore(db: Database): AlertStore {
  const { query } = db
  const putAlert = ({ id, ...row }: AlertRow) =>
    query
      .insertInto('alerts')
      .values({ id, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .compile()

  /** Keeps the highest level of an episode. */
  function putHistory({ episode, ...row }: AlertHistoryRow) {
    const peak_level = sql<string>`CASE WHEN alert_history.peak_level = 'critical' THEN 'critical' ELSE excluded.peak_level END`
    return query
      .insertInto('alert_history')
      .values({ episode, ...row })
      .onConflict((conflict) => conflict.column('episode').doUpdateSet({ ...row, peak_level }))
      .compile()
  }

  function filtered({ from, to, level, resource }: HistoryFilter) {
    let found = query.selectFrom('alert_history')
    if (from !== undefined) found = found.where('started_at', '>=', from)
    if (to !== undefined) found = found.where('started_at', '<=', to)
    if (level !== undefined) found = found.where('level', '=', level)
    if (!resource) return found
    return found.where(({ eb, or }) =>
      or([eb('resource_id', 'in', resource.ids), eb('resource_key', 'in', resource.keys)]),
    )
  }

  return {
    all: () => tablePages(db, 'alerts', ['id']),
    async memory() {
      const row = await query
        .selectFrom('alert_memory')
        .select('value')
        .where('key', '=', 'engine')
        .executeTakeFirst()
      return row?.value
    },
    async setMemory(value) {
      const putting = query
        .insertInto('alert_memory')
        .values({ key: 'engine', value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      await db.transaction([putting.compile()])
    },
    async write({ alerts, history }) {
      const queries = [...alerts.map(putAlert), ...history.map(putHistory)]
      if (queries.length > 0) await db.transaction(queries)
    },
    async forgetResolved(beforeMs, most) {
      await query.deleteFrom('alerts').where('resolved_at', '<', beforeMs).execute()
      const surplus = query
        .selectFrom('alerts')
        .select('id')
        .where('resolved_at', 'is not', null)
        .orderBy('resolved_at', 'desc')
        .limit(1_000_000)
        .offset(most)
      await query.deleteFrom('alerts').where('id', 'in', surplus).execute()
    },
    openHistory: () =>
      pages(db, (last: AlertHistoryRow | undefined) => {
        const open = query.selectFrom('alert_history').selectAll().where('ended_at', 'is', null)
        return (last ? open.where('episode', '>', last.episode) : open).orderBy('episode')
      }),
    history(filter, { limit, offset = 0, after }) {
      let found = filtered(filter)
        .selectAll()
        .orderBy('started_at', 'desc')
        .orderBy('episode', 'desc')
        .limit(limit)
      if (offset > 0) found = found.offset(offset)
      if (after) {
        found = found.where(({ eb, or, and }) =>
          or([
            eb('started_at', '<', after.started_at),
            and([eb('started_at', '=', after.started_at), eb('episode', '<', after.episode)]),
          ]),
        )
      }
      return db.page(found.compile())
    },
    async endsOf(episodes) {
      const ends = new Map<string, EpisodeEnd>()
      for (let from = 0; from < episodes.length; from += namesAtOnce) {
        const names = episodes.slice(from, from + namesAtOnce)
        const found = pages(db, (last: Pick<AlertHistoryRow, 'episode' | 'ended_at' | 'alert'> | undefined) =>
          query
            .selectFrom('alert_history')
            .select(['episode', 'ended_at', 'alert'])
            .where('episode', 'in', names)
            .where('episode', '>', last?.episode ?? '')
            .orderBy('episode'),
        )
        for await (const rows of found)
          for (const { episode, ended_at: at, alert } of rows) {
            if (at === null) continue
            const { reason, note } = endOf(alert)
            const known = EndReason.safeParse(reason)
            ends.set(episode, {
              at,
              ...(known.success && { reason: known.data }),
              ...(typeof note === 'string' && { note }),
            })
          }
      }
      return ends
    },
    async countHistory(filter = {}) {
      const row = await filtered(filter)
        .select(sql<number>`count(*)`.as('rows'))
        .executeTakeFirstOrThrow()
      return row.rows
    },
    async clearHistory() {
      await db.transaction([query.deleteFrom('alert_history').compile()])
    },
    async trimHistory(beforeMs, most) {
      await query.deleteFrom('alert_history').where('ended_at', '<', beforeMs).execute()
      const surplus = query
        .selectFrom('alert_history')
        .select('episode')
        .orderBy('started_at', 'desc')
        .orderBy('episode', 'desc')
        .limit(1_000_000)
        .offset(most)
      await query.deleteFrom('alert_history').where('episode', 'in', surplus).execute()
    },
  }
}
