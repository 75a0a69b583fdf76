import { DatabaseSync } from 'node:sqlite'

/**
 * Opens a database file. The index of the write-ahead log is a separate file. If the disk is full, the index
 * is kept in memory, where no other process can share it. Stored data can still be read.
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
