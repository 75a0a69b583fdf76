import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'

/** In the place of the old one as a whole, and on the disk when this returns. */
export function writeDurably(file: string, text: string | Buffer, mode = 0o600): void {
  const partial = `${file}.new`
  fs.rmSync(partial, { recursive: true, force: true })
  const handle = fs.openSync(partial, 'wx', mode)
  try {
    fs.writeFileSync(handle, text)
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
  // a folder of that name would keep it from there
  if (fs.lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) fs.rmSync(file, { recursive: true })
  fs.renameSync(partial, file)
  syncFolder(path.dirname(file))
}

export function syncFolder(folder: string): void {
  const handle = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}

/** Everything that was written to the file system of this place. */
export async function syncAll(place: string): Promise<void> {
  const child = spawn('sync', ['-f', place], { stdio: 'inherit' })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`sync -f ${place} ended with ${code}`)
}
