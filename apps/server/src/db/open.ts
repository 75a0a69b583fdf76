import type { Clock } from '@pulse/domain'
import {
  type CompiledQuery,
  type Dialect,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { DatabaseError } from '../database-error.ts'
import type { Request, Statement, StatementResult, WorkerSetup } from './messages.ts'
import type { Database, DatabaseFigures, Maintenance } from './database.ts'
import { driverOf } from './driver.ts'
import type { Schema } from './schema.ts'
import { watchOutage } from './outage-watch.ts'
import type { WithoutId } from '../worker-thread.ts'
import { startDatabaseThread } from './thread.ts'

/** Conditions of the file and its thread; each change is reported once. */
export type DatabaseEvent =
  | { thread: 'ended'; why: string }
  | { thread: 'back' }
  /** the disk refused a write */
  | { storage: 'failing'; why: string }
  | { storage: 'well' }
  /** the PostgreSQL server does not answer */
  | { server: 'away'; why: string }
  | { server: 'back' }

export interface DatabaseEdges {
  clock: Pick<Clock, 'monotonic' | 'after' | 'now'>
  onEvent: (event: DatabaseEvent) => void
  /** Rows of a table were changed by this process; `all`: of an unknown one. PostgreSQL only. */
  onWritten?: (table: keyof Schema | 'all') => void
  /** Another process leads now: a write of this one, which led before, was refused. PostgreSQL only. */
  onFenced?: () => void
}

/**
 * Writes as much as a usual write, and deletes it again. A single page would fit into the rest of the
 * write-ahead log even on a full disk.
 */
const probe = [
  {
    sql: `INSERT INTO meta (key, value) VALUES ('probe', hex(zeroblob(${32 * 1024})))
      ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    parameters: [],
  },
  { sql: "DELETE FROM meta WHERE key = 'probe'", parameters: [] },
]

/** Each file has its own thread, so that waiting for the disk never blocks the event loop. */
export function openDatabase(
  setup: WorkerSetup,
  { clock, onEvent }: DatabaseEdges,
): { db: Database; maintenance: Maintenance } {
  const figures: DatabaseFigures = { waiting: 0, calls: 0, failed: 0, seconds: 0, restarts: 0 }
  const thread = startDatabaseThread(setup, {
    clock,
    onEnded: (why) => onEvent({ thread: 'ended', why }),
    onBack() {
      figures.restarts++
      onEvent({ thread: 'back' })
    },
  })

  async function ask(what: WithoutId<Request>): Promise<StatementResult[]> {
    const startedAt = clock.monotonic()
    figures.waiting++
    try {
      const results = await thread.ask(what)
      return results
    } catch (error) {
      figures.failed++
      if (error instanceof DatabaseError && (error.isDiskFull || error.isDiskError))
        disk.failing(error.isDiskFull ? 'the disk is full' : error.message)
      throw error
    } finally {
      figures.waiting--
      figures.calls++
      figures.seconds += (clock.monotonic() - startedAt) / 1000
    }
  }

  const run = (statements: readonly Statement[]) => ask({ do: 'run', statements: [...statements] })
  const disk = watchOutage({
    clock,
    probe: () => run(probe),
    onBegin: (why) => onEvent({ storage: 'failing', why }),
    onEnd: () => onEvent({ storage: 'well' }),
  })
  const db: Database = {
    query: new Kysely<Schema>({ dialect: dialect(run) }),
    async transaction(queries) {
      await run(queries.map(({ sql, parameters }) => ({ sql, parameters })))
    },
    async page<Row>({ sql, parameters }: CompiledQuery<Row>) {
      const [result] = await ask({ do: 'page', statement: { sql, parameters } })
      return result!.rows as Row[]
    },
  }
  const maintenance: Maintenance = {
    run,
    async backup(to) {
      await ask({ do: 'backup', to })
    },
    async renewCopy(to, nowMs) {
      const [result] = await ask({ do: 'copy', to, nowMs })
      return result!.changes > 0
    },
    figures: () => figures,
    async close() {
      disk.stop()
      await thread.close()
    },
  }
  return { db, maintenance }
}

function dialect(run: (statements: Statement[]) => Promise<StatementResult[]>): Dialect {
  const driver = driverOf(async ({ sql, parameters }) => (await run([{ sql, parameters }]))[0]!)
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}
