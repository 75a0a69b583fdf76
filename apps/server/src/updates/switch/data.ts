import fs from 'node:fs'
import path from 'node:path'
import { restoringMark } from '../../start/restoring-mark.ts'
import { handoverFolder } from '../handover.ts'
import { syncAll, writeDurably } from './durable.ts'

/** Number of updates for which the previous data are kept. */
const KEPT = 3
const prefix = 'backup-'
/** Handover files, files that can be created again, saved copies of the data, and the metric history of some GB. */
const isApart = (name: string) =>
  name === handoverFolder ||
  name === '.compile-cache' ||
  name.startsWith(prefix) ||
  name.startsWith('history.db')

export const keptAs = (data: string, stamp: string) => path.join(data, `${prefix}${stamp}`)

/** Copies the data while no process writes to them; the copy is complete once it has its name. */
export async function keepAside(data: string, stamp: string): Promise<void> {
  const kept = keptAs(data, stamp)
  if (fs.existsSync(kept)) return
  const partial = `${kept}.partial`
  fs.rmSync(partial, { recursive: true, force: true })
  fs.mkdirSync(partial, { mode: 0o700 })
  try {
    for (const name of own(data)) copy(path.join(data, name), path.join(partial, name))
    await syncAll(partial)
  } catch (error) {
    // half a copy occupies the space that was missing
    fs.rmSync(partial, { recursive: true, force: true })
    throw error
  }
  fs.renameSync(partial, kept)
  const all = fs.readdirSync(data).filter((name) => name.startsWith(prefix))
  const whole = all.filter((name) => !name.endsWith('.partial')).toSorted()
  for (const name of [...whole.slice(0, -KEPT), ...all.filter((one) => one.endsWith('.partial'))])
    fs.rmSync(path.join(data, name), { recursive: true, force: true })
}

/** Restores the saved data. While the mark exists, Pulse does not start on them. */
export async function putBack(data: string, stamp: string): Promise<void> {
  const kept = keptAs(data, stamp)
  if (!fs.existsSync(kept)) throw new Error(`${kept} is missing: the data cannot be restored.`)
  writeDurably(path.join(data, restoringMark), `${prefix}${stamp}\n`)
  for (const name of own(data)) fs.rmSync(path.join(data, name), { recursive: true, force: true })
  for (const name of fs.readdirSync(kept)) copy(path.join(kept, name), path.join(data, name))
  await syncAll(data)
}

export const takeMarkAway = (data: string): void => fs.rmSync(path.join(data, restoringMark), { force: true })

const own = (data: string) => fs.readdirSync(data).filter((name) => !isApart(name))

/** Sockets and the like belong to a process that has ended. */
const copy = (from: string, to: string) =>
  fs.cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    mode: fs.constants.COPYFILE_FICLONE,
    filter: (filePath) => {
      const stat = fs.lstatSync(filePath)
      return stat.isFile() || stat.isDirectory() || stat.isSymbolicLink()
    },
  })

/** Bytes that a copy needs, and free bytes. */
export function roomFor(data: string): { needed: number; free: number } {
  const size = (filePath: string): number => {
    const stat = fs.lstatSync(filePath)
    if (!stat.isDirectory()) return stat.blocks * 512
    return fs.readdirSync(filePath).reduce((sum, name) => sum + size(path.join(filePath, name)), 0)
  }
  const needed = own(data).reduce((sum, name) => sum + size(path.join(data, name)), 0)
  const { bavail, bsize } = fs.statfsSync(data)
  return { needed, free: bavail * bsize }
}
