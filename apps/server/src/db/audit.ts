import type { AuditEvent } from '@pulse/contract'
import type { Database } from './open.ts'
import type { AuditRow } from './schema.ts'

/** Append-only: nothing changes a record, and only age removes one. */
export interface AuditStore {
  append(row: AuditRow): Promise<void>
  /** Newest first. */
  page(query: { limit: number; before?: string; event?: AuditEvent }): Promise<AuditRow[]>
  removeBefore(atMs: number): Promise<void>
}

export function auditStore(db: Database): AuditStore {
  return {
    async append(row) {
      await db.query.insertInto('audit').values(row).execute()
    },
    page({ limit, before, event }) {
      let query = db.query.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(limit)
      if (before !== undefined) query = query.where('id', '<', before)
      if (event !== undefined) query = query.where('event', '=', event)
      return query.execute()
    },
    async removeBefore(atMs) {
      await db.query.deleteFrom('audit').where('at', '<', atMs).execute()
    },
  }
}
