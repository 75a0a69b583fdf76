import { type FakeClock, fakeClock } from '@pulse/testkit'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Logger, pino } from 'pino'
import type { Maintenance } from '../db/database.ts'
import type { PostgresSettings } from '../db/postgres-settings.ts'
import { keyPath } from '../start/key-file.ts'
import { type OpenData, openData } from '../start/open-data.ts'
import { openServerData } from '../start/open-postgres.ts'
import { databaseOfTests } from '../testing/database-of-tests.ts'
import { readFiles } from '../testing/files.ts'
import { type Caller, type RawCaller, readCaller } from './caller.ts'
import { type Networks, networks } from './networks.ts'

/** A data folder with a real database, and the other dependencies of the stores' owners. */
export interface Ground extends Pick<OpenData, 'db' | 'vault' | 'notices'> {
  maintenance: Pick<Maintenance, 'run' | 'close'>
  dataDir: string
  clock: FakeClock
  log: Logger
  /** all logged lines */
  lines: Record<string, unknown>[]
  /** Clears the database and resets the clock for the next test. */
  clear(): Promise<void>
  /** Closes the database and opens it again, like a restart. */
  reopen(): Promise<void>
  end(): Promise<void>
}

/** The file also in a run on PostgreSQL, for tests of the file itself; or that database. */
type GroundKind = 'embedded' | PostgresSettings

export async function aGround(kind?: GroundKind): Promise<Ground> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-access-'))
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>)
  const ground: Ground = {
    ...(await openDataOf(dataDir, kind)),
    dataDir,
    clock: fakeClock(),
    log: pino({ level: 'trace' }, { write }),
    lines,
    async clear() {
      const tables = [
        'users',
        'sessions',
        'api_tokens',
        'sign_in_attempts',
        'audit',
        'settings',
        'docker_hosts',
        'docker_removals',
      ] as const
      await ground.db.transaction(tables.map((table) => ground.db.query.deleteFrom(table).compile()))
      ground.clock = fakeClock()
      lines.length = 0
    },
    async reopen() {
      await ground.maintenance.close()
      Object.assign(ground, await openDataOf(dataDir, kind))
    },
    async end() {
      await ground.maintenance.close()
      fs.rmSync(dataDir, { recursive: true })
    },
  }
  return ground
}

/** The database of a data folder, wherever this run has it. */
export async function openDataOf(
  dataDir: string,
  kind?: GroundKind,
): Promise<Pick<Ground, 'db' | 'vault' | 'notices' | 'maintenance'>> {
  const settings = kind === 'embedded' ? undefined : (kind ?? (await databaseOfTests(dataDir)))
  if (!settings) return openData(dataDir, undefined, Date.now())
  const keyFile = keyPath(dataDir, undefined)
  const { db, vault, run, close } = await openServerData(settings, { nowMs: Date.now(), keyFile })
  return {
    db,
    vault,
    notices: [],
    maintenance: { close, run: (statements) => run(statements).then(() => []) },
  }
}

/** The contents of all files below the folder as text, byte by byte. */
export const filesOf = (dir: string): string =>
  readFiles(dir)
    .map(({ text }) => text)
    .join('\n')

export const noProxies: Networks = networks([])

/** A caller from 192.0.2.7, unless the test overrides it. */
export const aCaller = (raw: Partial<RawCaller> = {}, trustedProxies = noProxies): Caller =>
  readCaller(
    {
      peer: '192.0.2.7',
      encrypted: false,
      method: 'GET',
      headers: {},
      requestId: 'request-1',
      rawHeaders: [],
      ...raw,
    },
    trustedProxies,
  )

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** `npm run test:long` runs the full figures. */
export const scale = Number(process.env['PULSE_TEST_SCALE'] ?? 1)
