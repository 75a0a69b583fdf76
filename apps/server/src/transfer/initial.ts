import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import { AppError } from '../app-error.ts'
import type { Area } from '../area.ts'
import type { Audit } from '../auth/audit.ts'
import type { Database } from '../db/database.ts'
import { StartupError } from '../startup-error.ts'
import { createTransfer } from './transfer.ts'
import type { InitialImport } from '../start/initial-import.ts'
import { readExport } from './export-file.ts'
import { partsInOrder } from './parts.ts'

const MARK = 'initial_import'

export interface InitialEdges {
  db: Database
  /** areas with parts for the import */
  areas: readonly Area[]
  clock: Clock
  log: Logger
  access: { audit: Pick<Audit, 'record'> }
}

interface InitialAreaEdges extends InitialEdges {
  config: { initialImport: InitialImport | undefined }
}

/** Runs before other areas read the data that an import may write. */
export const initialImportArea = ({ config, ...edges }: InitialAreaEdges): Area => ({
  name: 'the first configuration',
  start: () => importInitial(config.initialImport, edges),
})

/**
 * Imports the export that the environment names, once and only into an empty installation. Throws
 * StartupError.
 */
async function importInitial(initial: InitialImport | undefined, edges: InitialEdges): Promise<void> {
  if (!initial) return
  const { db, clock, log, areas } = edges
  const { audit } = edges.access
  if (!(await isFresh(db))) {
    log.info(`${initial.name} is not imported: Pulse is already set up`)
    return
  }
  const { from, passphrase } = initial
  const file = 'data' in from ? from.data.reveal() : readExport(from.file)
  // The owner of the server's environment also decides where its alerts go.
  const by = { name: 'environment', method: 'console', confirmsDestinations: true } as const
  const { summary, notes } = await createTransfer({
    db,
    clock,
    log,
    parts: partsInOrder(areas),
    caches: [],
    onWrite: () => {},
  })
    .import(file, passphrase.reveal(), by)
    .catch((error: unknown) => {
      throw error instanceof AppError ? unusable(initial.name, error) : error
    })
  const value = new Date(clock.now()).toISOString()
  await db.query.insertInto('meta').values({ key: MARK, value }).execute()
  for (const note of notes) log.warn(note)
  log.info(`${initial.name} was imported: ${summary}`)
  await audit.record({ event: 'config_imported', by, details: [summary, ...notes].join('. ') })
}

/** Accounts and tokens of the environment do not count: they exist before the first setup. */
async function isFresh({ query }: Database): Promise<boolean> {
  const found = await Promise.all([
    query.selectFrom('connections').select('id').limit(1).execute(),
    query.selectFrom('users').select('id').where('source', '!=', 'environment').limit(1).execute(),
    query.selectFrom('api_tokens').select('id').where('source', '!=', 'environment').limit(1).execute(),
    query.selectFrom('settings').select('key').where('key', 'in', ['system', 'oidc']).execute(),
    query.selectFrom('meta').select('key').where('key', '=', MARK).execute(),
  ])
  return found.every((rows) => rows.length === 0)
}

const unusable = (name: string, cause: AppError) =>
  new StartupError(
    `${name} cannot be imported. ${cause.message}`,
    'Correct it, or remove it and start without.',
    {
      cause,
    },
  )
