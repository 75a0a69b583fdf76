import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'

/** Replaces a file atomically; durable on return. */
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
  // a folder with this name would make the rename fail
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

/** Flushes the file system of this path to the disk. */
export async function syncAll(filePath: string): Promise<void> {
  const child = spawn('sync', ['-f', filePath], { stdio: 'inherit' })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`sync -f ${filePath} ended with ${code}`)
}
