import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'

/** A driver of Kysely for single queries. A transaction is one message, see Database.transaction. */
export function driverOf(
  run: (query: CompiledQuery) => Promise<{ rows: unknown[]; changes: number | bigint }>,
): Driver {
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const { rows, changes } = await run(query)
      return { rows: rows as R[], numAffectedRows: BigInt(changes) }
    },
    async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
      yield await connection.executeQuery<R>(query)
    },
  }
  const refuse = () => Promise.reject(new Error('a transaction is one message: use Database.transaction'))
  return {
    init: async () => {},
    destroy: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
  }
}
