import type { NotificationLogEntry } from '@pulse/domain'
import type { CompiledQuery } from 'kysely'
import { sql } from 'kysely'
import type { Database } from './database.ts'
import { collect, pages, tablePages } from './pages.ts'
import type { DeliveryRow, NotificationLogRow } from './schema.ts'

export interface DeliveryFilter {
  state?: string | undefined
  channel?: string | undefined
  kind?: string | undefined
}

const shown = [
  'id',
  'event_id',
  'kind',
  'channel_id',
  'channel_kind',
  'channel_name',
  'service',
  'address',
  'state',
  'created_at',
  'updated_at',
  'next_attempt_at',
  'attempts',
  'log',
  'status_code',
  'error',
  'payload_size',
  'alert_count',
  'alerts',
] as const satisfies (keyof DeliveryRow)[]
export type ShownDelivery = Pick<DeliveryRow, (typeof shown)[number]>

/** The methods return statements, so that related changes run in one transaction. */
export interface DeliveryStore {
  adding(row: DeliveryRow): CompiledQuery
  changing(id: string, change: Partial<Omit<DeliveryRow, 'id'>>): CompiledQuery
  putting(entry: NotificationLogEntry): CompiledQuery
  removing(entry: Pick<NotificationLogEntry, 'episode' | 'channelId'>): CompiledQuery
  /** Removes the notification log of a deleted channel, and cancels its deliveries. */
  removingChannel(channelId: string): CompiledQuery[]
  /** Runs all statements in one transaction. */
  write(queries: readonly CompiledQuery[]): Promise<void>
  /** Channels with unfinished deliveries or log entries. */
  channels(): Promise<string[]>
  /** Oldest first; each row may be large. */
  unfinished(): AsyncIterable<Pick<DeliveryRow, 'id' | 'channel_id' | 'created_at'>[]>
  /** The notification log. */
  log(): AsyncIterable<NotificationLogRow[]>
  /** Deliveries since that time (epoch ms), oldest first, with their channels and alerts. */
  sentSince(
    ms: number,
  ): AsyncIterable<Pick<DeliveryRow, 'id' | 'channel_id' | 'kind' | 'alert_ids' | 'sources' | 'updated_at'>[]>
  lastDelivered(): Promise<{ channel_id: string; at: number }[]>
  get(id: string): Promise<DeliveryRow | undefined>
  /** Newest first, without the full messages. */
  find(filter: DeliveryFilter, limit: number): Promise<ShownDelivery[]>
  count(filter: DeliveryFilter): Promise<number>
  /**
   * Deletes finished deliveries beyond the newest `most`, except those that count for the hourly limit.
   * Failed ones lose their full text beyond 64 MB.
   */
  trim(most: number, hourAgo: number): Promise<void>
}

/** A failed message can be sent again by hand while its full text fits into this limit. */
const mostFailedCharacters = 64 * 1024 * 1024
const unfinishedStates = ['waiting', 'sending']

export function deliveryStore(db: Database): DeliveryStore {
  const { query } = db
  function filtered({ state, channel, kind }: DeliveryFilter) {
    let found = query.selectFrom('deliveries')
    if (state !== undefined) found = found.where('state', '=', state)
    if (channel !== undefined) found = found.where('channel_id', '=', channel)
    if (kind !== undefined) found = found.where('channel_kind', '=', kind)
    return found
  }

  return {
    // Its thread may have ended between the write and the answer. Then the same row is written again.
    adding: (row) =>
      query
        .insertInto('deliveries')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .compile(),
    changing: (id, change) => query.updateTable('deliveries').set(change).where('id', '=', id).compile(),
    putting(logged) {
      const { episode, channelId: channel_id } = logged
      const entry = JSON.stringify(logged)
      return query
        .insertInto('notification_log')
        .values({ episode, channel_id, entry })
        .onConflict((conflict) => conflict.columns(['episode', 'channel_id']).doUpdateSet({ entry }))
        .compile()
    },
    removing: ({ episode, channelId }) =>
      query
        .deleteFrom('notification_log')
        .where('episode', '=', episode)
        .where('channel_id', '=', channelId)
        .compile(),
    async write(queries) {
      if (queries.length > 0) await db.transaction(queries)
    },
    removingChannel: (channelId) => [
      query.deleteFrom('notification_log').where('channel_id', '=', channelId).compile(),
      query
        .updateTable('deliveries')
        .set({ state: 'cancelled', items: '[]', next_attempt_at: null })
        .where('channel_id', '=', channelId)
        .where('state', 'in', unfinishedStates)
        .compile(),
    ],
    async channels() {
      const unfinished = query
        .selectFrom('deliveries')
        .select('channel_id')
        .where('state', 'in', unfinishedStates)
      const rows = await collect(
        pages(db, (last: { channel_id: string } | undefined) =>
          query
            .selectFrom(query.selectFrom('notification_log').select('channel_id').union(unfinished).as('all'))
            .select('channel_id')
            .where('channel_id', '>', last?.channel_id ?? '')
            .orderBy('channel_id'),
        ),
      )
      return rows.map(({ channel_id }) => channel_id)
    },
    unfinished: () =>
      pages(db, (last: Pick<DeliveryRow, 'id' | 'channel_id' | 'created_at'> | undefined) => {
        const found = query
          .selectFrom('deliveries')
          .select(['id', 'channel_id', 'created_at'])
          .where('state', 'in', unfinishedStates)
          .orderBy('created_at')
          .orderBy('id')
        return last ? found.where(sql<boolean>`(created_at, id) > (${last.created_at}, ${last.id})`) : found
      }),
    log: () => tablePages(db, 'notification_log', ['episode', 'channel_id']),
    sentSince: (ms) =>
      pages(
        db,
        (
          last:
            | Pick<DeliveryRow, 'id' | 'channel_id' | 'kind' | 'alert_ids' | 'sources' | 'updated_at'>
            | undefined,
        ) => {
          const found = query
            .selectFrom('deliveries')
            .select(['id', 'channel_id', 'kind', 'alert_ids', 'sources', 'updated_at'])
            .where('state', '=', 'delivered')
            .where('updated_at', '>=', ms)
            .orderBy('updated_at')
            .orderBy('id')
          return last ? found.where(sql<boolean>`(updated_at, id) > (${last.updated_at}, ${last.id})`) : found
        },
      ),
    lastDelivered: () =>
      query
        .selectFrom('deliveries')
        .select(['channel_id', sql<number>`max(updated_at)`.as('at')])
        .where('state', '=', 'delivered')
        .groupBy('channel_id')
        .execute(),
    get: (id) => query.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirst(),
    async find(filter, limit) {
      const found: ShownDelivery[] = []
      const behind = (last: ShownDelivery | undefined) => {
        const all = filtered(filter).select(shown).orderBy('created_at', 'desc').orderBy('id', 'desc')
        return last ? all.where(sql<boolean>`(created_at, id) < (${last.created_at}, ${last.id})`) : all
      }
      for await (const rows of pages(db, behind)) {
        for (const row of rows) if (found.push(row) === limit) return found
      }
      return found
    },
    async count(filter) {
      const row = await filtered(filter)
        .select(sql<number>`count(*)`.as('rows'))
        .executeTakeFirstOrThrow()
      return row.rows
    },
    async trim(most, hourAgo) {
      await query
        .updateTable('deliveries')
        .set({ alert_ids: '[]' })
        .where('updated_at', '<', hourAgo)
        .where('alert_ids', '!=', '[]')
        .execute()
      const surplus = query
        .selectFrom('deliveries')
        .select('id')
        .where('state', 'not in', unfinishedStates)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1_000_000)
        .offset(most)
      const room = sql<number>`sum(length(items)) OVER (ORDER BY created_at DESC, id DESC)`
      const failed = query
        .selectFrom('deliveries')
        .select(['id', room.as('characters')])
        .where('state', '=', 'failed')
        .where('items', '!=', '[]')
      const beyond = query.selectFrom(failed.as('failed')).select('id')
      await query
        .updateTable('deliveries')
        .set({ items: '[]' })
        .where('id', 'in', beyond.where('characters', '>', mostFailedCharacters))
        .execute()
      await query
        .deleteFrom('deliveries')
        .where('id', 'in', surplus)
        .where('updated_at', '<', hourAgo)
        .execute()
    },
  }
}
