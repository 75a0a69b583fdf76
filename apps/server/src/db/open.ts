import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { Worker } from 'node:worker_threads'
import { DatabaseError } from '../database-error.ts'
import type { Reply, Request, Statement, StatementResult, WorkerSetup } from './messages.ts'
import type { Schema } from './schema.ts'

export interface Database {
  query: Kysely<Schema>
  /** All of them in one transaction, or none. */
  batch(queries: readonly CompiledQuery[]): Promise<void>
  run(statements: readonly Statement[]): Promise<StatementResult[]>
  /** A whole copy of the file at `to`. */
  backup(to: string): Promise<void>
  /** Renews the copy that stands in for a lost or damaged file; false when nothing that matters has changed. */
  renewCopy(to: string, nowMs: number): Promise<boolean>
  close(): Promise<void>
}

// The release is one bundle with the worker beside it; a checkout runs the sources.
const workerUrl = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './db-worker.js', import.meta.url)

/** It holds a few rows at a time: V8's usual young space would only cost memory. */
const workerLimits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 }

/** One thread per file, so that waiting for the disk never holds up the event loop. */
export function openDatabase(setup: WorkerSetup): Database {
  const worker = new Worker(workerUrl, { workerData: setup, resourceLimits: workerLimits })
  const waiting = new Map<number, { resolve: (r: StatementResult[]) => void; reject: (e: Error) => void }>()
  let nextId = 1
  let ended: Error | undefined

  worker.on('message', (reply: Reply) => {
    const caller = waiting.get(reply.id)
    waiting.delete(reply.id)
    if (reply.ok) caller?.resolve(reply.results)
    else caller?.reject(new DatabaseError(reply.message, reply.sqliteCode))
  })
  const end = (error: Error) => {
    ended ??= error
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.on('error', (error: Error & { errcode?: number }) =>
    end(new DatabaseError(error.message, error.errcode)),
  )
  worker.on('exit', () => end(new DatabaseError('the database thread has ended', undefined)))

  function ask(what: RequestWithoutId): Promise<StatementResult[]> {
    if (ended) return Promise.reject(ended)
    const id = nextId++
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      worker.postMessage({ ...what, id } as Request)
    })
  }

  const run = (statements: readonly Statement[]) => ask({ do: 'run', statements: [...statements] })
  return {
    query: new Kysely<Schema>({ dialect: dialect(run) }),
    run,
    async batch(queries) {
      await run(queries.map(({ sql, parameters }) => ({ sql, parameters })))
    },
    async backup(to) {
      await ask({ do: 'backup', to })
    },
    async renewCopy(to, nowMs) {
      const [result] = await ask({ do: 'copy', to, nowMs })
      return result!.changes > 0
    },
    async close() {
      if (!ended) await ask({ do: 'close' })
    },
  }
}

type RequestWithoutId = Request extends infer R ? (R extends Request ? Omit<R, 'id'> : never) : never

function dialect(run: (statements: Statement[]) => Promise<StatementResult[]>): Dialect {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const [result] = await run([{ sql, parameters }])
      return { rows: result!.rows as R[], numAffectedRows: BigInt(result!.changes) }
    },
    async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
      yield await connection.executeQuery<R>(query)
    },
  }
  const useBatch = () => Promise.reject(new Error('a transaction is one message: use batch()'))
  const driver: Driver = {
    init: async () => {},
    destroy: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: useBatch,
    commitTransaction: useBatch,
    rollbackTransaction: useBatch,
  }
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}
