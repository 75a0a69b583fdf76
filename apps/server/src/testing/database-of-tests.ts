import { createHash } from 'node:crypto'
import pg from 'pg'
import type { PostgresSettings } from '../db/postgres-settings.ts'

/** Set by the run `npm test -- --postgres`: the port of its server on 127.0.0.1. */
const port = Number(process.env['PULSE_TEST_POSTGRES_PORT'] ?? 0)

/** Tests of the file itself, of its thread and of its disk are skipped in such a run. */
export const isOnPostgres = port > 0

/** In such a run, one server collects and leads, and so many others answer the tests, in turn. */
export const answeringServers = isOnPostgres ? Number(process.env['PULSE_TEST_CLUSTER'] ?? 0) : 0

/**
 * Whether such a run skips a test: of what each process has of its own, or whose clock stands still until it moves it. The
 * run says why.
 */
export function isForOneProcess(why: string): boolean {
  if (answeringServers > 0) process.stdout.write(`skipped: ${why}\n`)
  return answeringServers > 0
}

/**
 * The database of a data folder in a run on PostgreSQL, created with its first use. Undefined in other runs: the folder
 * has its own.
 */
export async function databaseOfTests(dataDir: string): Promise<PostgresSettings | undefined> {
  if (!port) return undefined
  const settings = { host: '127.0.0.1', port, user: 'admin', ssl: false as const }
  const database = `pulse_${createHash('sha256').update(dataDir).digest('hex').slice(0, 24)}`
  const client = new pg.Client({ ...settings, database: 'postgres' })
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database])
    if (!rowCount) await client.query(`CREATE DATABASE ${database}`)
  } finally {
    await client.end()
  }
  return { ...settings, database }
}

export const urlOf = ({ host, port: at, user, database }: PostgresSettings): string =>
  `postgres://${user}@${host}:${at}/${database}`
