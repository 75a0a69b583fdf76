import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { holdsNothing, isMuchLess, type Substance, substanceOf } from './substance.ts'

const DAY_MS = 24 * 3_600_000
/** Number of earlier days for which the last copy is kept. */
const GENERATIONS = 3
/** Number of copies to keep that contained much more than their successors. */
const MAX_KEPT = 3

/**
 * Renews the complete copy of the database at `to`; false when the content is unchanged. The new copy is
 * complete, checked and durable before it replaces the old one. An old copy gets a name of its own if it is
 * damaged, from another installation or an earlier day, or much larger.
 */
export function renewCopy(db: DatabaseSync, to: string, nowMs: number): boolean {
  const now = substanceOf(db)
  const before = lookAt(to)
  if (before && before !== 'unusable' && before.digest === now.digest) return false
  const partial = `${to}.partial`
  writeWhole(db, partial)
  const written = lookAt(partial)
  if (!written || written === 'unusable' || written.digest !== now.digest) {
    fs.rmSync(partial, { force: true })
    throw new Error(`the copy written to ${partial} differs from the database`)
  }
  if (before) keepOld(to, before, now, nowMs)
  fs.renameSync(partial, to)
  syncFolder(to)
  return true
}

/** Writes a complete copy that is durable on return. A failed copy leaves no file. */
export function writeWhole(db: DatabaseSync, to: string): void {
  fs.rmSync(to, { force: true })
  try {
    fs.closeSync(fs.openSync(to, 'wx', 0o600))
    db.prepare('VACUUM INTO ?').run(to)
    syncFile(to)
  } catch (error) {
    fs.rmSync(to, { force: true })
    throw error
  }
}

export function syncFile(file: string): void {
  const handle = fs.openSync(file, 'r+')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}

export function syncFolder(file: string): void {
  const folder = fs.openSync(path.dirname(file), 'r')
  try {
    fs.fsyncSync(folder)
  } finally {
    fs.closeSync(folder)
  }
}

/** Opening a special file, such as a pipe, could block forever. */
export const isFile = (file: string): boolean =>
  fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false

function lookAt(file: string): Substance | 'unusable' | undefined {
  if (!fs.existsSync(file)) return undefined
  if (!isFile(file)) return 'unusable'
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { readOnly: true })
    const [row] = db.prepare('PRAGMA integrity_check(1)').all()
    return row?.['integrity_check'] === 'ok' ? substanceOf(db) : 'unusable'
  } catch {
    // A copy that cannot be read does not help, whatever the reason. It is set aside.
    return 'unusable'
  } finally {
    db?.close()
  }
}

/** Keeps the old copy under a second name (hard link), so that `to` always exists. */
function keepOld(to: string, before: Substance | 'unusable', now: Substance, nowMs: number) {
  const stamp = new Date(nowMs).toISOString().replaceAll(':', '-')
  if (before === 'unusable') {
    const aside = `${to}.damaged-${stamp}`
    return isFile(to) ? link(to, aside) : fs.renameSync(to, aside)
  }
  if (holdsNothing(before)) return
  if (before.keyCheck !== now.keyCheck || isMuchLess(now, before)) {
    link(to, `${to}.kept-${stamp}`)
    const kept = siblings(to, '.kept-')
    for (const old of kept.slice(0, -MAX_KEPT)) fs.rmSync(old, { force: true })
    return
  }
  if (dayOf(fs.statSync(to).mtimeMs) === dayOf(nowMs)) return
  for (let n = GENERATIONS - 1; n > 0; n--) {
    if (fs.existsSync(`${to}.${n}`)) fs.renameSync(`${to}.${n}`, `${to}.${n + 1}`)
  }
  link(to, `${to}.1`)
}

function link(from: string, to: string) {
  fs.rmSync(to, { force: true })
  fs.linkSync(from, to)
}

const dayOf = (ms: number) => Math.floor(ms / DAY_MS)

function siblings(file: string, infix: string): string[] {
  const dir = path.dirname(file)
  const start = path.basename(file) + infix
  return fs
    .readdirSync(dir)
    .filter((name) => name.startsWith(start))
    .sort()
    .map((name) => path.join(dir, name))
}
