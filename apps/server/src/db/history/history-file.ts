import { type Column, HistoryStore, precisionOf, type Precision, sampledFields } from '@pulse/domain'
import type { FigureUnit, RecordKind } from '@pulse/contract'
import fs from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { openOnFullDisk } from '../full-disk.ts'
import { isDamage } from './damage.ts'
import type { Field, Opened, Thing, Written } from './messages.ts'
import { openPast, type Past } from './past.ts'
import { openTileFile } from './tile-file.ts'

const schema = `
  CREATE TABLE IF NOT EXISTS fields (
    number INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (kind, name)
  );
  CREATE TABLE IF NOT EXISTS things (
    kind TEXT NOT NULL, number INTEGER NOT NULL, id TEXT NOT NULL, alias TEXT NOT NULL, mark TEXT NOT NULL,
    gone_at INTEGER,
    PRIMARY KEY (kind, number)
  ) WITHOUT ROWID;
`

export interface HistoryFile {
  opened(): Opened
  store: HistoryStore
  past: Past
  append(at: number, columns: readonly Column[], things: readonly Thing[]): Written
  close(): void
}

/**
 * Moves a damaged file away and returns its new name. History is worth less than monitoring, so a new file is
 * begun without asking.
 */
export function keepAside(file: string, nowMs: number): string {
  const keptAside = `${file}.damaged-${nowMs}`
  for (const end of ['', '-wal', '-shm'])
    if (fs.existsSync(file + end)) fs.renameSync(file + end, keptAside + end)
  return keptAside
}

/** Opens history.db, or begins it. */
export function openHistoryFile(file: string, wanted: readonly Omit<Field, 'number'>[]): HistoryFile {
  fs.closeSync(fs.openSync(file, 'a', 0o600))
  const db = openOnFullDisk(file)
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    db.exec(schema)
    const fields = numberFields(db, wanted)
    const precisions = new Map(fields.map((field) => [field.number, precisionFor(field)]))
    const store = new HistoryStore({
      storage: openTileFile(db),
      // a figure that an older version had
      precision: (field) => precisions.get(field) ?? precisionOf.count,
    })
    const past = openPast(db, store, fields)
    return {
      opened: () => ({ fields, things: readThings(db), highest: readHighest(db) }),
      store,
      past,
      ...writing(db, store, past),
    }
  } catch (error) {
    db.close()
    throw error
  }
}

/** The numbers of fields stay, so that a figure keeps its history over updates. */
function numberFields(db: DatabaseSync, wanted: readonly Omit<Field, 'number'>[]): Field[] {
  const add = db.prepare('INSERT OR IGNORE INTO fields (kind, name) VALUES (?, ?)')
  for (const { kind, name } of wanted) add.run(kind, name)
  return db
    .prepare('SELECT number, kind, name FROM fields')
    .all()
    .map(({ number, kind, name }) => ({
      number: Number(number),
      kind: kind as RecordKind,
      name: String(name),
    }))
}

function precisionFor({ kind, name }: Field): Precision {
  const unit: FigureUnit | undefined = sampledFields.find(
    (field) => field.kind === kind && field.name === name,
  )?.unit
  return precisionOf[unit ?? 'count']
}

/** Memory is bounded by what exists: of what is gone, only this many are read. */
export const goneLimit = 10_000

const readThings = (db: DatabaseSync): Thing[] =>
  db
    .prepare(
      `SELECT * FROM things WHERE gone_at IS NULL
       UNION ALL
       SELECT * FROM (SELECT * FROM things WHERE gone_at IS NOT NULL ORDER BY gone_at DESC LIMIT ?)`,
    )
    .all(goneLimit)
    .map(({ kind, number, id, alias, mark, gone_at }) => ({
      kind: kind as RecordKind,
      number: Number(number),
      id: String(id),
      alias: String(alias),
      mark: String(mark),
      ...(gone_at !== null && { goneAt: Number(gone_at) }),
    }))

const readHighest = (db: DatabaseSync): Opened['highest'] =>
  Object.fromEntries(
    db
      .prepare('SELECT kind, max(number) AS highest FROM things GROUP BY kind')
      .all()
      .map(({ kind, highest }) => [String(kind), Number(highest)]),
  )

function writing(db: DatabaseSync, store: HistoryStore, past: Past): Pick<HistoryFile, 'append' | 'close'> {
  const put = db.prepare(
    'INSERT OR REPLACE INTO things (kind, number, id, alias, mark, gone_at) VALUES (?, ?, ?, ?, ?, ?)',
  )
  /** not stored yet, because the file takes nothing */
  const unsaved = new Map<string, Thing>()
  let lostTicks = 0
  let error: string | undefined

  /** Things are stored before the samples that belong to them. */
  function saveThings() {
    if (unsaved.size === 0) return
    db.exec('BEGIN IMMEDIATE')
    try {
      for (const { kind, number, id, alias, mark, goneAt } of unsaved.values())
        put.run(kind, number, id, alias, mark, goneAt ?? null)
      db.exec('COMMIT')
    } catch (cause) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw cause
    }
    unsaved.clear()
  }

  return {
    append(at, columns, things) {
      for (const thing of things) unsaved.set(`${thing.kind} ${thing.number}`, thing)
      try {
        saveThings()
        const isDurable = store.append(at, columns)
        // Until the file takes samples again, every tick tries it.
        if (error !== undefined && !isDurable) store.flush()
        error = undefined
      } catch (cause) {
        if (isDamage(cause)) throw cause
        // The minute before could not be stored. Memory stays bounded, and the next minute is tried again.
        lostTicks += store.discard()
        store.append(at, columns)
        error = (cause as Error).message
      }
      return { lostTicks, ...(error !== undefined && { error }) }
    },
    close() {
      try {
        saveThings()
        store.flush()
        past.flush()
      } finally {
        db.close()
      }
    },
  }
}
