import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Vault } from '../seal.ts'
import { isFile, syncFile, syncFolder } from './copy.ts'
import { examine, type Finding } from './examine.ts'

/**
 * All files in the folder that may contain an earlier state of `file`, newest first. The name decides,
 * because a copied or restored folder has lost its file times.
 */
export function earlierStates(file: string): string[] {
  const dir = path.dirname(file)
  const names = fs.readdirSync(dir).filter((name) => isFile(path.join(dir, name)))
  const start = path.basename(file)
  const kinds = [/^\.copy$/, /^\.copy\.\d$/, /^\.copy\.kept-[^.]+\.\d+Z$/, /^\.before-[\w-]+$/]
  return kinds.flatMap((kind, n) => {
    const found = names.filter((name) => name.startsWith(start) && kind.test(name.slice(start.length))).sort()
    return (n === 1 ? found : found.toReversed()).map((name) => path.join(dir, name))
  })
}

export interface EarlierState {
  file: string
  finding: Finding
}

export function examineEarlier(file: string, vault: Vault | undefined): EarlierState[] {
  return earlierStates(file).map((copy) => {
    try {
      return { file: copy, finding: examine(copy, vault) }
    } catch (error) {
      return { file: copy, finding: { is: 'damaged', why: (error as Error).message } }
    }
  })
}

/**
 * Replaces `file` by a copy. The copy is complete and durable next to it before any file is moved. The
 * replaced file is set aside, never deleted. A write-ahead log belongs to its database file, so it moves
 * along.
 */
export function restore(file: string, copy: string, nowMs: number): string | undefined {
  const next = `${file}.restored`
  try {
    fs.copyFileSync(copy, next)
    fs.chmodSync(next, 0o600)
    endSessions(next)
    syncFile(next)
  } catch (error) {
    fs.rmSync(next, { force: true })
    throw error
  }
  const aside = setAside(file, nowMs)
  fs.renameSync(next, file)
  syncFolder(file)
  return aside
}

/** Returns the new name; undefined when the file was empty. */
export function setAside(file: string, nowMs: number): string | undefined {
  const aside = `${file}.damaged-${new Date(nowMs).toISOString().replaceAll(':', '-')}`
  let isWorthNaming = false
  for (const suffix of ['', '-wal', '-shm']) {
    const stat = fs.statSync(file + suffix, { throwIfNoEntry: false })
    if (!stat) continue
    if (stat.isFile() && stat.size === 0) {
      fs.rmSync(file + suffix)
      continue
    }
    fs.renameSync(file + suffix, aside + suffix)
    isWorthNaming ||= suffix === ''
  }
  return isWorthNaming ? aside : undefined
}

/** A session in the copy may have ended since, so all users must sign in again. */
function endSessions(file: string) {
  const db = new DatabaseSync(file)
  try {
    if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'sessions'").get())
      db.exec('DELETE FROM sessions')
  } finally {
    db.close()
  }
}
