import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface Prepared {
  /** what the administrator should know: the file was damaged */
  notice?: string
}

/**
 * Looks at a database file before anything opens it for work. A damaged one is kept aside, never deleted,
 * and its newest whole copy takes its place.
 */
export function prepareDatabaseFile(file: string, copy: string, nowMs: number): Prepared {
  if (!fs.existsSync(file)) return {}
  const problem = findDamage(file)
  if (!problem) return {}
  const aside = `${file}.damaged-${new Date(nowMs).toISOString().replaceAll(':', '-')}`
  for (const suffix of ['', '-wal', '-shm']) {
    if (fs.existsSync(file + suffix)) fs.renameSync(file + suffix, aside + suffix)
  }
  const found = `The database ${path.basename(file)} was damaged (${problem}) and is kept as ${path.basename(aside)}.`
  if (fs.existsSync(copy) && !findDamage(copy)) {
    fs.copyFileSync(copy, file)
    fs.chmodSync(file, 0o600)
    const age = new Date(fs.statSync(copy).mtimeMs).toISOString()
    return { notice: `${found} Pulse continues with its copy of ${age}.` }
  }
  return { notice: `${found} No usable copy exists: Pulse starts with an empty configuration.` }
}

function findDamage(file: string): string | undefined {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { timeout: 5000 })
    const rows = db.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[]
    const answer = rows[0]?.quick_check
    return answer === 'ok' ? undefined : (answer ?? 'the check gave no answer').replaceAll(/\s+/g, ' ')
  } catch (error) {
    const { errcode, message } = error as Error & { errcode?: number }
    if (isDamage(errcode)) return message
    throw error
  } finally {
    db?.close()
  }
}

/** SQLITE_CORRUPT or SQLITE_NOTADB; anything else (rights, a full disk) is not the file's fault. */
const isDamage = (code: number | undefined) => code !== undefined && [11, 26].includes(code & 0xff)
