import { type ConfigExport, type ImportChanges, maxExportLength } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { CompiledQuery } from 'kysely'
import type { Logger } from 'pino'
import { AppError } from '../app-error.ts'
import { DatabaseError } from '../database-error.ts'
import type { Database } from '../db/database.ts'
import { type Content, fromText, toText } from './document.ts'
import type { KdfCost } from '../hashing.ts'
import { exportCost, seal } from './envelope.ts'
import { bytesOf, toFile, unseal } from './file.ts'
import { fromLegacy } from './legacy.ts'
import { type Importer, type Plan, requireCurrent, type TransferPart } from '../export-part.ts'
import type { RowCache } from '../row-cache.ts'
import { createBoundedQueue } from '../timing/concurrency.ts'

const MAX_WAITING = 4

/** The result of an import, or of its check. */
export interface Imported {
  /** such as `2 nodes, 1 account` */
  summary: string
  notes: string[]
  changes: ImportChanges
}

export interface TransferArea {
  export(passphrase: string): Promise<{ file: ConfigExport; summary: string }>
  /** Imports all parts or none. */
  import(file: string, passphrase: string, by: Importer): Promise<Imported>
  /** Checks the import without writing. */
  check(file: string, passphrase: string, by: Importer): Promise<Imported>
}

export interface TransferEdges {
  db: Database
  parts: readonly TransferPart[]
  /** empty while no area has started */
  caches: readonly Omit<RowCache, 'tables'>[]
  clock: Clock
  log: Logger
  onWrite: () => void
  cost?: KdfCost | undefined
}

export function createTransfer(edges: TransferEdges): TransferArea {
  const { db, parts, caches, clock, log, onWrite, cost = exportCost } = edges
  const inLine = fewInLine()

  const whileStill = <T>(job: () => Promise<T>): Promise<T> =>
    caches.reduceRight<() => Promise<T>>((inner, cache) => () => cache.runExclusive(inner), job)()

  async function readAll() {
    const values: Record<string, unknown> = {}
    for (const { key, read } of parts) {
      const value = await read()
      if (value !== undefined) values[key] = value
    }
    return values
  }

  async function planAll({ values, notes }: Content, by: Importer): Promise<Plan & Imported> {
    const plans: Plan[] = []
    for (const { key, plan } of parts) {
      if (Object.hasOwn(values, key) && values[key] !== undefined)
        plans.push(await plan(values[key], by, plans))
    }
    const summary = plans.map((plan) => plan.summary).filter((text) => text !== '')
    return {
      summary: summary.join(', ') || 'nothing',
      notes: [...plans.flatMap((plan) => plan.notes), ...notes],
      changes: {
        nodes: plans.flatMap((plan) => plan.changes?.nodes ?? []),
        accounts: plans.flatMap((plan) => plan.changes?.accounts ?? []),
        tokens: plans.flatMap((plan) => plan.changes?.tokens ?? []),
        providers: plans.flatMap((plan) => plan.changes?.providers ?? []),
        destinations: plans.flatMap((plan) => plan.changes?.destinations ?? []),
        allowedHosts: plans.flatMap((plan) => plan.changes?.allowedHosts ?? []),
        switchesAlertsOff: plans.some((plan) => plan.changes?.switchesAlertsOff === true),
      },
      queries: plans.flatMap((plan) => plan.queries),
    }
  }

  async function apply(queries: readonly CompiledQuery[]) {
    if (queries.length === 0) return
    await db.transaction(queries).catch(refuseClash)
    onWrite()
    for (const cache of caches) {
      // The value is stored, so the next start applies it.
      await cache.reload().catch((err: unknown) => log.error({ err }, 'cannot apply an imported part'))
    }
  }

  async function read(file: string, passphrase: string): Promise<Content> {
    const { text, older } = await unseal(bytesOf(file), passphrase)
    return older ? fromLegacy(text, parts) : fromText(text, parts)
  }

  const run = (
    file: string,
    passphrase: string,
    by: Importer,
    act: (queries: CompiledQuery[]) => Promise<void>,
  ) =>
    inLine(async () => {
      const content = await read(file, passphrase)
      return whileStill(async () => {
        requireCurrent(by)
        const { queries, ...imported } = await planAll(content, by)
        await act(queries)
        return imported
      })
    })

  return {
    export: (passphrase) =>
      inLine(async () => {
        const values = await whileStill(readAll)
        const file = toFile(await seal(toText(values, clock.now()), passphrase, cost))
        if (file.data.length > maxExportLength) {
          throw new AppError('payload_too_large', 'The configuration is too large for one export file.')
        }
        return { file, summary: Object.keys(values).join(', ') }
      }),
    import: (file, passphrase, by) => run(file, passphrase, by, apply),
    check: (file, passphrase, by) => run(file, passphrase, by, async () => {}),
  }
}

/** Checked values may still violate a constraint that only the database knows. Then nothing is stored. */
function refuseClash(error: unknown): never {
  if (!(error instanceof DatabaseError && error.isConstraint)) throw error
  throw new AppError(
    'invalid_import',
    'The file cannot be imported: one of its entries conflicts with another one, or with an existing one.',
    { cause: error },
  )
}

/** Derives one key at a time; calls beyond a short queue are refused. */
function fewInLine() {
  const queue = createBoundedQueue({ waiting: MAX_WAITING })
  return async <T>(job: () => Promise<T>): Promise<T> => {
    const result = queue.tryRun(job)
    if (result) return result
    const message = 'Too many requests. Please wait a moment and try again.'
    throw new AppError('rate_limit', message, { headers: { 'retry-after': '5' } })
  }
}
