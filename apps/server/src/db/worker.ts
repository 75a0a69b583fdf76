import fs from 'node:fs'
import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { openOnFullDisk } from './full-disk.ts'
import { renewCopy, writeWhole } from './copy.ts'
import type { Reply, Request, Statement, StatementResult, WorkerSetup } from './messages.ts'

/** The only thread that accesses a database file. Each request is one transaction. */
const setup = workerData as WorkerSetup
const port = parentPort!
const db = openOnFullDisk(setup.file)
db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${setup.synchronous}; PRAGMA foreign_keys = ON;`)
/** A text needs up to two bytes per character, and exists twice while it is passed to the other thread. */
const mostCharacters = { cut: 1024 * 1024, refuse: 4 * 1024 * 1024 }
const prepared = new Map<string, StatementSync>()

port.on('message', (request: Request) => {
  try {
    answer(request)
  } catch (error) {
    const { message } = error as Error
    port.postMessage({ id: request.id, ok: false, message, sqliteCode: codeOf(error) } satisfies Reply)
  }
})

/** Copies also access the disk outside of SQLite. */
function codeOf(error: unknown): number | undefined {
  const { errcode, code } = error as { errcode?: number; code?: string }
  if (errcode !== undefined) return errcode
  if (code === 'ENOSPC' || code === 'EDQUOT') return 13
  return code === 'EIO' || code === 'EROFS' ? 10 : undefined
}

function answer(request: Request) {
  let results: StatementResult[] = []
  if (request.do === 'run') results = runAll(request.statements)
  if (request.do === 'page') results = [read(prepare(request.statement), request.statement, 'cut')]
  if (request.do === 'backup') {
    writeWhole(db, `${request.to}.partial`)
    fs.renameSync(`${request.to}.partial`, request.to)
  }
  if (request.do === 'copy') {
    results = [{ rows: [], changes: renewCopy(db, request.to, request.nowMs) ? 1 : 0 }]
  }
  if (request.do === 'close') db.close()
  port.postMessage({ id: request.id, ok: true, results } satisfies Reply)
  if (request.do === 'close') port.close()
}

function runAll(statements: readonly Statement[]): StatementResult[] {
  if (statements.length === 1) return statements.map(run)
  db.exec('BEGIN IMMEDIATE')
  try {
    const results = statements.map(run)
    db.exec('COMMIT')
    return results
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

function prepare({ sql }: Statement): StatementSync {
  let statement = prepared.get(sql)
  if (!statement) {
    statement = db.prepare(sql)
    if (prepared.size < 500) prepared.set(sql, statement)
  }
  return statement
}

function run(what: Statement): StatementResult {
  const statement = prepare(what)
  if (statement.columns().length > 0) return read(statement, what, 'refuse')
  return { rows: [], changes: Number(statement.run(...what.parameters.map(bindable)).changes) }
}

/**
 * This thread has little memory, so an answer has a size limit. A page ends there; a larger complete result
 * is refused.
 */
function read(
  statement: StatementSync,
  { parameters }: Statement,
  beyond: 'cut' | 'refuse',
): StatementResult {
  const most = mostCharacters[beyond]
  const rows: StatementResult['rows'] = []
  let characters = 0
  for (const row of statement.iterate(...parameters.map(bindable))) {
    if (rows.length > 0 && characters > most) {
      if (beyond === 'cut') break
      throw new Error('The answer is too long. Read it page by page.')
    }
    characters += charactersIn(row)
    rows.push({ ...row })
  }
  return { rows, changes: 0 }
}

/** Values other than texts count little. */
function charactersIn(row: Record<string, unknown>): number {
  let characters = 0
  for (const value of Object.values(row)) characters += typeof value === 'string' ? value.length : 16
  return characters
}

/** node:sqlite treats an object as named parameters, so only plain values may pass. */
function bindable(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === null || ['string', 'number', 'bigint'].includes(typeof value)) return value as SQLInputValue
  if (value instanceof Uint8Array) return value
  throw new TypeError(`a ${typeof value} cannot be stored`)
}
