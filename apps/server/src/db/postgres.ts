import { type CompiledQuery, Kysely } from 'kysely'
import pg from 'pg'
import { ServerError } from '../database-error.ts'
import type { Database, DatabaseFigures } from './database.ts'
import type { Statement } from './messages.ts'
import type { DatabaseEdges } from './open.ts'
import { watchOutage } from './outage-watch.ts'
import { createMutex } from '../timing/concurrency.ts'
import { pause } from '../timing/pause.ts'
import { bindable } from './bindable.ts'
import { createClockComparison, serverTime } from './clock-comparison.ts'
import { type Begun, createFence } from './fence.ts'
import { parserOf, postgresDialect } from './postgres-dialect.ts'
import { beginUse, takeStartLock, useAlone } from './postgres-locks.ts'
import { readPage } from './postgres-page.ts'
import { announcedTable, writtenTable } from './written-tables.ts'
import { isOutage, isRepeatable, toDatabaseError } from './postgres-errors.ts'
import type { PostgresSettings } from './postgres-settings.ts'
import type { Schema } from './schema.ts'

/**
 * A write of ours takes milliseconds. A caller that waits longer gets an error, and the connection is closed. The server ends
 * a statement at its limit; one that has died without a word is given up a little later.
 */
const limits = {
  connectMs: 5_000,
  statementMs: 5_000,
  lockMs: 3_000,
  answerMs: 7_000,
  keepaliveDelayMs: 30_000,
}
/** between two statements while data are moved */
const movingMs = 60_000
/** before a transaction that the server has ended begins again */
const repeatMs = 50

export interface Postgres {
  db: Database
  /** Runs statements in one transaction, such as a migration. */
  run(statements: readonly Statement[]): Promise<void>
  /**
   * Runs all statements of the work in one transaction, with the data as they are at its beginning, while no other process
   * uses the database. Other calls of this one wait. Throws InUse.
   */
  moving<T>(work: (data: MovingData) => Promise<T>): Promise<T>
  /** Runs the work while no other process that asks for this does. */
  alone<T>(work: () => Promise<T>): Promise<T>
  /** This process as the one that leads. */
  leading: Leading
  /** A text for each table. It is another one after any change of its rows. Rejects at a standby, which may lag behind. */
  marks(tables: readonly (keyof Schema)[]): Promise<string[]>
  /** Compares the wall clock of this process with that of the server, as `marks` does too. */
  readClock(): Promise<void>
  /** ms by which it is ahead, as of the last answer in time, or of the first one; undefined: not known */
  clockAheadMs(): number | undefined
  figures(): DatabaseFigures
  close(): Promise<void>
}

export interface MovingData extends Pick<Database, 'query' | 'page'> {
  put(statement: Statement): Promise<unknown>
}

export interface Leading {
  /**
   * From now on, all its writes hold only until another process begins. A newer lease than this one is refused, unless it is
   * `over`, the one that has refused it before.
   */
  begin(lease: string, over?: string): Promise<Begun>
  /** Rejects if the database does not answer, if it takes no writes, or if another process leads in place of this one. */
  confirm(): Promise<unknown>
  /** Runs statements in one transaction, without a word to others: the tables they change are in no memory. */
  write(statements: readonly Statement[]): Promise<void>
  /** monotonic: when the database has confirmed it last */
  readonly confirmedAt: number
}

/** PostgreSQL, version 15 or later, as the database. It connects with the first query. */
export function openPostgres(
  settings: PostgresSettings,
  { clock, onEvent, onWritten = () => {}, onFenced = () => {} }: DatabaseEdges,
): Postgres {
  const pool = new pg.Pool({
    ...settings,
    max: 1,
    connectionTimeoutMillis: limits.connectMs,
    statement_timeout: limits.statementMs,
    query_timeout: limits.answerMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.statementMs,
    // The connection is what shows that a process runs, so an idle one stays, and routers between the machines do not forget it.
    idleTimeoutMillis: 0,
    keepAlive: true,
    keepAliveInitialDelayMillis: limits.keepaliveDelayMs,
    application_name: 'pulse',
    types: { getTypeParser: parserOf },
    // The pool waits for it, although its types do not say so.
    onConnect: beginUse as (client: pg.ClientBase) => void,
  })
  // of a connection that is not in use: the next call tells whether the server is away
  pool.on('error', ({ message }) => outage.failing(message))
  // of a connection in use: its call fails with the same error
  pool.on('connect', (client) => void client.on('error', () => {}))
  const figures: DatabaseFigures = { waiting: 0, calls: 0, failed: 0, seconds: 0, restarts: 0 }
  const clocks = createClockComparison(clock)
  const inOrder = createMutex()
  const fence = createFence({ monotonic: clock.monotonic, onRefused: onFenced })

  /**
   * One call after the other, as the thread of the embedded database does it: a row that is written twice has the second
   * value, and a read sees all writes before it. During an outage, all fail at once: a caller must not wait for the
   * limits of those before.
   */
  async function counted<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = clock.monotonic()
    figures.waiting++
    try {
      return await inOrder(async () => {
        if (outage.why !== undefined) throw new ServerError(outage.why, 'away')
        return await work()
      })
    } catch (error) {
      figures.failed++
      if (!(error instanceof ServerError) && isOutage(error)) outage.failing((error as Error).message)
      throw toDatabaseError(error)
    } finally {
      figures.waiting--
      figures.calls++
      figures.seconds += (clock.monotonic() - startedAt) / 1000
    }
  }

  /** A connection that failed in the middle is not used again. */
  async function inTransaction<T>(
    work: (client: pg.PoolClient) => Promise<T>,
    begin: (client: pg.PoolClient) => Promise<unknown> = fence.begin,
  ): Promise<T> {
    const client = await pool.connect()
    let isWhole = false
    try {
      await begin(client)
      const result = await work(client)
      await client.query('COMMIT')
      isWhole = true
      return result
    } finally {
      client.release(!isWhole)
    }
  }

  /** Of two transactions that wait for each other, one gets through each time, and the other one begins again. */
  async function runAll(queries: readonly Statement[]): Promise<void> {
    const until = clock.monotonic() + limits.statementMs
    for (;;) {
      try {
        await inTransaction(async (client) => {
          for (const { sql, parameters } of queries) await client.query(sql, parameters.map(bindable))
        })
        return
      } catch (error) {
        if (!isRepeatable(error) || clock.monotonic() >= until) throw error
        await pause(clock, repeatMs, new AbortController().signal)
      }
    }
  }

  async function runOne(query: CompiledQuery): Promise<pg.QueryResult> {
    const { sql, parameters } = query
    const table = writtenTable(query)
    const values = parameters.map(bindable)
    if (table === undefined || !fence.isTaken) {
      return pool.query(sql, values).finally(() => report([announcedTable(query)]))
    }
    return inTransaction((client) => client.query(sql, values)).finally(() => report([announcedTable(query)]))
  }

  function report(tables: readonly ReturnType<typeof writtenTable>[]) {
    for (const table of new Set(tables)) if (table !== undefined) onWritten(table)
  }

  const outage = watchOutage({
    clock,
    probe: () => pool.query('SELECT 1'),
    onBegin: (why) => onEvent({ server: 'away', why }),
    onEnd: () => onEvent({ server: 'back' }),
  })
  const run = (queries: readonly Statement[]) => counted(() => runAll(queries))

  const query = new Kysely<Schema>({ dialect: postgresDialect((one) => counted(() => runOne(one))) })

  return {
    db: {
      query,
      async transaction(queries) {
        // also if it failed: the connection may have ended after the commit
        await counted(() => runAll(queries).finally(() => report(queries.map(announcedTable))))
      },
      page: <Row>({ sql, parameters }: CompiledQuery<Row>) =>
        counted(() =>
          inTransaction(
            async (client) => (await readPage(client, sql, parameters.map(bindable))) as Row[],
            (client) => client.query('BEGIN READ ONLY'),
          ),
        ),
    },
    leading: {
      begin: (lease, over) =>
        counted(async () => {
          const client = await pool.connect()
          let isWhole = false
          try {
            const begun = await fence.take(client, lease, over)
            isWhole = true
            return begun
          } finally {
            client.release(!isWhole)
          }
        }),
      confirm: () => counted(() => inTransaction(fence.confirm)),
      write: run,
      get confirmedAt() {
        return fence.confirmedAt
      },
    },
    async marks(tables) {
      const askedAt = clock.monotonic()
      const { rows } = await counted(() =>
        pool.query<{ mark: string; isStandby: boolean; now: number }>(
          `SELECT mark, pg_is_in_recovery() AS "isStandby", ${serverTime}
          FROM (${tables.map(markOf).join(' UNION ALL ')}) AS marks ORDER BY n`,
        ),
      )
      clocks.take(askedAt, rows[0]?.now)
      if (rows.some(({ isStandby }) => isStandby)) throw new ServerError('the server is a standby', 'disk')
      return rows.map(({ mark }) => mark)
    },
    run,
    moving: (work) =>
      inOrder(async () => {
        const client = await pool.connect()
        try {
          await useAlone(client)
          await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
          // while the other database writes
          await client.query(`SET LOCAL idle_in_transaction_session_timeout = ${movingMs}`)
          const result = await work({
            query,
            page: async <Row>({ sql, parameters }: CompiledQuery<Row>) =>
              (await readPage(client, sql, parameters.map(bindable))) as Row[],
            put: ({ sql, parameters }) => client.query(sql, parameters.map(bindable)),
          })
          await client.query('COMMIT')
          return result
        } finally {
          // The server would notice the end of the connection a little later.
          await client.query('ROLLBACK; SELECT pg_advisory_unlock_all()').catch(() => {})
          client.release(true)
        }
      }),
    async alone(work) {
      const lock = await takeStartLock(settings, limits.connectMs).catch(refused)
      try {
        return await work()
      } finally {
        // which also gives the lock back
        await lock.end().catch(() => undefined)
      }
    },
    async readClock() {
      const askedAt = clock.monotonic()
      const { rows } = await counted(() => pool.query<{ now: number }>(`SELECT ${serverTime}`))
      clocks.take(askedAt, rows[0]?.now)
    },
    clockAheadMs: () => clocks.aheadMs,
    figures: () => figures,
    async close() {
      outage.stop()
      if (!pool.ending) await pool.end()
    },
  }
}

function refused(error: unknown): never {
  throw toDatabaseError(error)
}

/** Each version of a row has the number of the transaction that wrote it (PostgreSQL 15, system columns). */
const markOf = (table: keyof Schema, n: number): string =>
  `SELECT ${n} AS n, count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) AS mark FROM ${table}`
