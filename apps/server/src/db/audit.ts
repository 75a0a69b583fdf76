import type { AuditEvent } from '@pulse/contract'
import { sql } from 'kysely'
import type { Database } from './database.ts'
import type { AuditRow } from './schema.ts'

export interface AuditKind {
  event: string
  success: number
}

/**
 * Append-only: the text of a record never changes. Its count may increase, and old or surplus records are
 * deleted.
 */
export interface AuditStore {
  append(row: AuditRow): Promise<void>
  /** Updates the counts of repeated records. */
  count(rows: readonly Pick<AuditRow, 'id' | 'times' | 'last_at'>[]): Promise<void>
  /** Newest first. */
  page(query: { limit: number; before?: string; event?: AuditEvent }): Promise<AuditRow[]>
  kinds(): Promise<AuditKind[]>
  /**
   * Keeps `most` records of a kind. A caller who wrote more than half of them loses their own oldest records
   * first, so that no caller displaces the records of others. Otherwise the oldest ones are deleted.
   */
  trim(kind: AuditKind, most: number): Promise<void>
  removeBefore(atMs: number): Promise<void>
}

export function auditStore(db: Database): AuditStore {
  const ofKind = ({ event, success }: AuditKind) =>
    db.query.selectFrom('audit').where('event', '=', event).where('success', '=', success)

  return {
    async append(row) {
      await db.query.insertInto('audit').values(row).execute()
    },
    async count(rows) {
      const update = ({ id, times, last_at }: (typeof rows)[number]) =>
        db.query.updateTable('audit').set({ times, last_at }).where('id', '=', id).compile()
      if (rows.length > 0) await db.transaction(rows.map(update))
    },
    page({ limit, before, event }) {
      let query = db.query.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(limit)
      if (before !== undefined) query = query.where('id', '<', before)
      if (event !== undefined) query = query.where('event', '=', event)
      return query.execute()
    },
    kinds: () => db.query.selectFrom('audit').select(['event', 'success']).distinct().execute(),
    async trim(kind, most) {
      const callers = await ofKind(kind)
        .select(['caller', sql<number>`count(*)`.as('rows')])
        .groupBy('caller')
        .orderBy('rows', 'desc')
        .execute()
      const surplus = callers.reduce((sum, { rows }) => sum + rows, 0) - most
      if (surplus <= 0) return
      const [busiest] = callers
      let oldest = ofKind(kind).select('id').orderBy('id').limit(surplus)
      if (busiest!.rows > most / 2) oldest = oldest.where('caller', '=', busiest!.caller)
      await db.query.deleteFrom('audit').where('id', 'in', oldest).execute()
    },
    async removeBefore(atMs) {
      await db.query.deleteFrom('audit').where('at', '<', atMs).execute()
    },
  }
}
