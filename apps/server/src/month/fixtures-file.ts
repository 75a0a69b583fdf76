import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { within } from '../../../../scripts/test-limits.ts'

/** What is kept on purpose, up to its limit or its age. */
const kept = /alert_history|audit|deliveries/

export interface FileFigures {
  /** of pulse.db, without what is kept on purpose and without pages that wait to be used again */
  bytes: number
  /** what is kept on purpose */
  keptBytes: number
  freeBytes: number
  /** by table and index */
  tables: Record<string, number>
  rowsIn: Record<string, number>
  /** what else lies in the folder */
  others: string[]
}

/** Of a data folder after the end of its server. In driven time the database thread may still be closing it. */
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
