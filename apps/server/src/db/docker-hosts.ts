import type { Database } from './database.ts'
import { wholeTable } from './pages.ts'
import type { DockerHostRow, DockerRemovalRow } from './schema.ts'

export interface DockerHostStore {
  all(): Promise<DockerHostRow[]>
  removals(): Promise<DockerRemovalRow[]>
  put(row: DockerHostRow): Promise<void>
  /** Updates slightly changed hosts in one transaction. */
  putAll(rows: readonly DockerHostRow[]): Promise<void>
  /** Removes the host and stores its block, in one transaction. */
  remove(removal: DockerRemovalRow): Promise<void>
  allow(hostId: string): Promise<void>
}

export function dockerHostStore(db: Database): DockerHostStore {
  const put = ({ id, ...row }: DockerHostRow) =>
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
