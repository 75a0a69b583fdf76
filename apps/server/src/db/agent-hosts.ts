import type { Database } from './database.ts'
import { wholeTable } from './pages.ts'
import type { AgentHostRow, AgentRemovalRow } from './schema.ts'

export interface AgentHostStore {
  all(): Promise<AgentHostRow[]>
  removals(): Promise<AgentRemovalRow[]>
  put(row: AgentHostRow): Promise<void>
  /** Some that have changed a little, in one step. */
  putAll(rows: readonly AgentHostRow[]): Promise<void>
  /** The host goes and stays away until then, in one step. */
  remove(removal: AgentRemovalRow): Promise<void>
  allow(hostId: string): Promise<void>
}

export function agentHostStore(db: Database): AgentHostStore {
  const put = ({ id, ...row }: AgentHostRow) =>
    db.query
      .insertInto('docker_hosts')
      .values({ id, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
  const unblock = (hostId: string) => db.query.deleteFrom('docker_removals').where('host_id', '=', hostId)
  return {
    all: async () =>
      (await wholeTable(db, 'docker_hosts', ['id'])).toSorted((a, b) => a.enrolled_at - b.enrolled_at),
    removals: async () =>
      (await wholeTable(db, 'docker_removals', ['host_id'])).toSorted((a, b) => a.removed_at - b.removed_at),
    async put(row) {
      await put(row).execute()
    },
    async putAll(rows) {
      if (rows.length > 0) await db.transaction(rows.map((row) => put(row).compile()))
    },
    async remove(removal) {
      await db.transaction([
        db.query.deleteFrom('docker_hosts').where('host_id', '=', removal.host_id).compile(),
        unblock(removal.host_id).compile(),
        db.query.insertInto('docker_removals').values(removal).compile(),
      ])
    },
    async allow(hostId) {
      await unblock(hostId).execute()
    },
  }
}
