import fs from 'node:fs'
import path from 'node:path'

/** SQLite's files of one database. */
export const ends = ['', '-wal', '-shm']

/**
 * Moves a damaged file away and returns its new name. History is worth less than monitoring, so a new file is
 * begun without asking. Only the last one is kept, so that a bad disk does not become a full one.
 */
export function keepAside(file: string, nowMs: number): string {
  const keptAside = `${file}.damaged-${nowMs}`
  const found = ends.filter((end) => fs.existsSync(file + end))
  if (found.length > 0) removeKeptAside(file)
  for (const end of found) fs.renameSync(file + end, keptAside + end)
  return keptAside
}

function removeKeptAside(file: string): void {
  const start = `${path.basename(file)}.damaged-`
  const folder = path.dirname(file)
  for (const name of fs.readdirSync(folder))
    if (name.startsWith(start)) fs.rmSync(path.join(folder, name), { force: true })
}

/** Deletes a history that is not open, with what was kept aside of it. */
export function removeHistoryFile(file: string): void {
  removeKeptAside(file)
  for (const end of ends) fs.rmSync(file + end, { force: true })
}
