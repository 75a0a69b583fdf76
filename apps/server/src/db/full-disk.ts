import { DatabaseSync } from 'node:sqlite'

/**
 * Opens a database file. The index of its write-ahead log is a file that needs room of its own: where there is none
 * left it is kept in memory, which no other process can share. What is stored can be read all the same.
 */
export function openOnFullDisk(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 5000 })
  try {
    db.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get()
  } catch (error) {
    const { errcode = 0 } = error as { errcode?: number }
    db.close()
    if (![SQLITE_IOERR, SQLITE_FULL].includes(errcode & 0xff)) throw error
    const alone = new DatabaseSync(file, { timeout: 5000 })
    alone.exec('PRAGMA locking_mode = EXCLUSIVE')
    return alone
  }
  return db
}

const SQLITE_IOERR = 10
const SQLITE_FULL = 13
