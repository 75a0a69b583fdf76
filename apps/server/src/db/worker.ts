import fs from 'node:fs'
import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { openOnFullDisk } from './full-disk.ts'
import { renewCopy, writeWhole } from './copy.ts'
import type { Reply, Request, Statement, StatementResult, WorkerSetup } from './messages.ts'

/** The one thread that touches a database file. A request is a transaction: all of it or nothing. */
const setup = workerData as WorkerSetup
const port = parentPort!
const db = openOnFullDisk(setup.file)
db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${setup.synchronous}; PRAGMA foreign_keys = ON;`)
/** A text takes up to two bytes a character, and appears twice while it is handed over. */
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

/** A copy meets the disk past SQLite too. */
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
 * Rows of any number and length would end this thread, which has little memory: an answer has room for so much. A page
 * ends there; what was to come as a whole is refused.
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

/** A value that is no text counts little. */
function charactersIn(row: Record<string, unknown>): number {
  let characters = 0
  for (const value of Object.values(row)) characters += typeof value === 'string' ? value.length : 16
  return characters
}

/** node:sqlite takes an object for a bag of named parameters, so only plain values may pass. */
function bindable(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === null || ['string', 'number', 'bigint'].includes(typeof value)) return value as SQLInputValue
  if (value instanceof Uint8Array) return value
  throw new TypeError(`a ${typeof value} cannot be stored`)
}
