import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { StartupError } from '../startup-error.ts'

/** Path of this data folder's key. */
export const keyPath = (dataDir: string, configured: string | undefined): string =>
  configured ?? path.join(dataDir, '.encryption.key')

/** Undefined without a key. Throws on a key that is damaged or readable for other users. */
export function readKey(file: string): Buffer | undefined {
  let stat: fs.Stats
  try {
    stat = fs.statSync(file)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new StartupError(
      `The encryption key ${file} cannot be read: ${(cause as Error).message}`,
      'Give the user that runs Pulse read access to it.',
      { cause },
    )
  }
  if (stat.mode & 0o077) {
    throw new StartupError(
      `The encryption key ${file} can be read by other users (mode ${(stat.mode & 0o777).toString(8)}).`,
      `Run: chmod 600 ${file}`,
    )
  }
  const key = Buffer.from(fs.readFileSync(file, 'utf8').trim(), 'base64')
  if (key.length !== 32) {
    throw new StartupError(
      `The encryption key ${file} is damaged: it must be 32 bytes in base64.`,
      'Restore the key from your backup of the data folder.',
    )
  }
  return key
}

/** Writes the key completely and durably before it gets its name and before it seals data. */
export function createKey(file: string): Buffer {
  const key = randomBytes(32)
  const next = `${file}.new`
  fs.rmSync(next, { force: true })
  const handle = fs.openSync(next, 'wx', 0o600)
  try {
    fs.writeSync(handle, `${key.toString('base64')}\n`)
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
  // a hard link never replaces an existing key
  fs.linkSync(next, file)
  fs.rmSync(next)
  const dir = fs.openSync(path.dirname(file), 'r')
  fs.fsyncSync(dir)
  fs.closeSync(dir)
  return key
}
