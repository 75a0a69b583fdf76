import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { within } from '../../../../scripts/test-limits.ts'

/** Tables that grow up to a limit or an age. */
const kept = /alert_history|audit|deliveries/

export interface FileFigures {
  /** bytes of pulse.db without those tables and without free pages */
  bytes: number
  /** bytes of those tables */
  keptBytes: number
  freeBytes: number
  /** by table and index */
  tables: Record<string, number>
  rowsIn: Record<string, number>
  /** other files of the folder */
  others: string[]
}

/**
 * Figures of a data folder after its server has stopped. In simulated time the database thread may still be
 * closing the file.
 */
export function fileFigures(dataDir: string): FileFigures {
  const db = new DatabaseSync(path.join(dataDir, 'pulse.db'), { readOnly: true, timeout: within(30_000) })
  try {
    const tables: Record<string, number> = {}
    for (const { name, bytes } of db
      .prepare('SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name')
      .all())
      tables[String(name)] = Number(bytes)
    const rowsIn: Record<string, number> = {}
    for (const { name } of db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all())
      rowsIn[String(name)] = Number(db.prepare(`SELECT count(*) AS n FROM "${String(name)}"`).get()!['n'])
    const pragma = (name: string) => Number(Object.values(db.prepare(`PRAGMA ${name}`).get()!)[0])
    const sum = (isKept: boolean) =>
      Object.entries(tables)
        .filter(([name]) => kept.test(name) === isKept)
        .reduce((all, [, bytes]) => all + bytes, 0)
    return {
      bytes: sum(false),
      keptBytes: sum(true),
      freeBytes: pragma('freelist_count') * pragma('page_size'),
      tables,
      rowsIn,
      others: fs
        .readdirSync(dataDir)
        .filter((name) => !/-(wal|shm)$/.test(name))
        .sort(),
    }
  } finally {
    db.close()
  }
}
