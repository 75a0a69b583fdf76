import type { Database } from './database.ts'
import { wholeTable } from './pages.ts'
import type { TemperatureNodeRow } from './schema.ts'

/** The nodes with temperature monitoring enabled, and the host key of each from its setup. */
export interface TemperatureStore {
  all(): Promise<TemperatureNodeRow[]>
  put(row: TemperatureNodeRow): Promise<void>
  remove(row: Pick<TemperatureNodeRow, 'connection_id' | 'node'>): Promise<void>
}

export function temperatureStore(db: Database): TemperatureStore {
  return {
    all: async () =>
      (await wholeTable(db, 'temperature_nodes', ['connection_id', 'node'])).toSorted(
        (a, b) => a.created_at - b.created_at,
      ),
    async put(row) {
      const { port, host_key } = row
      await db.query
        .insertInto('temperature_nodes')
        .values(row)
        .onConflict((conflict) => conflict.columns(['connection_id', 'node']).doUpdateSet({ port, host_key }))
        .execute()
    },
    async remove({ connection_id, node }) {
      await db.query
        .deleteFrom('temperature_nodes')
        .where('connection_id', '=', connection_id)
        .where('node', '=', node)
        .execute()
    },
  }
}
