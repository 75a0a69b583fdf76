import fs from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Vault } from '../seal.ts'
import { openOnFullDisk } from './full-disk.ts'
import { knownMigrations, migrationText } from './migrate.ts'
import { keyCheckRow } from './substance.ts'

/** The condition of a database file, determined before the file is opened for work. */
export type Finding =
  | { is: 'usable' }
  | { is: 'missing' }
  /** a database without any stored data */
  | { is: 'empty' }
  | { is: 'damaged'; why: string }
  /** sealed with another key */
  | { is: 'foreign' }
  /** sealed, and the key is missing */
  | { is: 'sealed' }
  | { is: 'newer'; names: string[] }

export const keyCheckText = 'pulse'

/** Checks every page, every table of its version, every sealed value and every structured field. */
export function examine(file: string, vault: Vault | undefined): Finding {
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  if (!stat) return { is: 'missing' }
  if (!stat.isFile()) return { is: 'damaged', why: 'it is not a file' }
  if (stat.size === 0) return { is: 'empty' }
  fs.accessSync(file, fs.constants.R_OK | fs.constants.W_OK)
  let db: DatabaseSync | undefined
  try {
    db = openOnFullDisk(file)
    return look(db, vault)
  } catch (error) {
    const { errcode, message } = error as Error & { errcode?: number }
    if (!isTheFilesFault(errcode)) throw error
    return { is: 'damaged', why: message }
  } finally {
    db?.close()
  }
}

function look(db: DatabaseSync, vault: Vault | undefined): Finding {
  const [check] = db.prepare('PRAGMA integrity_check(1)').all()
  const answer = String(check?.['integrity_check'] ?? 'the check returned no result')
  if (answer !== 'ok') return { is: 'damaged', why: answer.replaceAll(/\s+/g, ' ') }
  const tables = columnsOf(db)
  if (tables.size === 0) return { is: 'empty' }
  if (!tables.has('schema_migrations')) return { is: 'damaged', why: 'it is not a database of Pulse' }
  const applied = namesIn(db, 'SELECT name FROM schema_migrations ORDER BY name')
  const known = knownMigrations()
  const unknown = applied.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    const isNewer =
      known.every((name) => applied.includes(name)) && unknown.every((name) => /^\d{4}-/.test(name))
    return isNewer ? { is: 'newer', names: unknown } : { is: 'damaged', why: 'its list of versions is wrong' }
  }
  for (const [table, columns] of expected(applied)) {
    if (columns.some((column) => !tables.get(table)?.includes(column)))
      return { is: 'damaged', why: `its table ${table} is incomplete` }
  }
  if (applied.length === 0) return { is: 'empty' }
  return lookInside(db, tables, vault)
}

function lookInside(db: DatabaseSync, tables: Map<string, string[]>, vault: Vault | undefined): Finding {
  const check = db.prepare('SELECT value FROM meta WHERE key = ?').get(keyCheckRow)?.['value']
  const holds = ['connections', 'users', 'settings'].filter(
    (table) => tables.has(table) && db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get(),
  )
  if (check === undefined) {
    return holds.length > 0 ? { is: 'damaged', why: 'the check of its key is missing' } : { is: 'empty' }
  }
  if (!vault) return { is: 'sealed' }
  if (!opens(vault, String(check), keyCheckRow)) return { is: 'foreign' }
  for (const row of db.prepare('SELECT * FROM connections').iterate()) {
    const isWhole =
      opens(vault, String(row['secret']), `connections/${String(row['id'])}`) &&
      ['flags', 'cluster_endpoints', 'member_fingerprints'].every((name) => isJson(row[name]))
    if (!isWhole) return { is: 'damaged', why: 'a node in it cannot be read' }
  }
  if (tables.has('settings')) {
    for (const row of db.prepare('SELECT key, value FROM settings').iterate()) {
      if (!opens(vault, String(row['value']), `settings/${String(row['key'])}`))
        return { is: 'damaged', why: 'settings in it cannot be read' }
    }
  }
  if (tables.has('api_tokens')) {
    for (const row of db.prepare('SELECT scopes FROM api_tokens').iterate())
      if (!isJson(row['scopes'])) return { is: 'damaged', why: 'a token in it cannot be read' }
  }
  return { is: 'usable' }
}

function opens(vault: Vault, sealed: string, associatedData: string): boolean {
  try {
    vault.open(sealed, associatedData)
    return true
  } catch {
    return false
  }
}

function isJson(text: unknown): boolean {
  if (text === null) return true
  try {
    JSON.parse(String(text))
    return true
  } catch {
    return false
  }
}

const namesIn = (db: DatabaseSync, sql: string) =>
  db
    .prepare(sql)
    .all()
    .map(({ name }) => String(name))

/** The columns of each table. */
function columnsOf(db: DatabaseSync): Map<string, string[]> {
  const tables = namesIn(
    db,
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  )
  return new Map(
    tables.map((table) => [
      table,
      db
        .prepare('SELECT name FROM pragma_table_info(?)')
        .all(table)
        .map(({ name }) => String(name)),
    ]),
  )
}

/** The tables that the migrations recorded in the file should have created. */
function expected(applied: readonly string[]): Map<string, string[]> {
  const model = new DatabaseSync(':memory:')
  try {
    for (const name of applied) model.exec(migrationText(name))
    return columnsOf(model)
  } finally {
    model.close()
  }
}

/**
 * SQLite errors that mean a damaged file, a file of another kind, or a broken schema. Permissions and a full
 * disk are not the file's fault.
 */
const isTheFilesFault = (code: number | undefined) =>
  code !== undefined && [1, 11, 14, 26].includes(code & 0xff)
