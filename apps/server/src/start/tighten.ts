import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { StartupError } from '../startup-error.ts'

const OTHERS = 0o077
/**
 * Pulse's own files, which must not be open to others. All other files (a pulse.yaml, a certificate) are
 * their owner's responsibility.
 */
const isOurs = (name: string) =>
  /^(pulse\.(db|lock|pid)|\.env$|\.bootstrap_token$|temperature$)|\.(log|key)(\.|$)/.test(name)
const MAX_DEPTH = 4

/**
 * An earlier version, a restore or a manual copy may have left the data folder open to other users. Closes
 * the folder and everything below it. If that fails, the start stops and names the command to run. The
 * encryption key is left alone; reading it fails if others can read it.
 */
export function tightenDataDir(dir: string): void {
  close(dir, true)
  closeBelow(dir, 1, false)
}

function closeBelow(dir: string, depth: number, ours: boolean) {
  for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
    const mustClose = ours || isOurs(entry.name)
    if (entry.name === '.encryption.key' || !(entry.isFile() || entry.isDirectory())) continue
    const filePath = path.join(dir, entry.name)
    close(filePath, mustClose)
    if (entry.isDirectory() && depth < MAX_DEPTH) closeBelow(filePath, depth + 1, mustClose)
  }
}

function close(filePath: string, mustClose: boolean) {
  const stat = fs.lstatSync(filePath, { throwIfNoEntry: false })
  if (!stat || !(stat.mode & OTHERS)) return
  try {
    fs.chmodSync(filePath, stat.mode & 0o700)
  } catch (cause) {
    if (mustClose) throw refusal(filePath, stat, cause)
    return
  }
  if (mustClose && fs.lstatSync(filePath).mode & OTHERS) throw refusal(filePath, stat, undefined)
}

function refusal(filePath: string, stat: fs.Stats, cause: unknown): StartupError {
  const what = stat.isDirectory() ? 'folder' : 'file'
  const mode = (stat.mode & 0o777).toString(8)
  const problem = `The ${what} ${filePath} is open to other users (mode ${mode}) and Pulse cannot close it`
  if (cause === undefined) {
    return new StartupError(
      `${problem}: its file system does not support permissions.`,
      'Set PULSE_DATA_DIR to a folder on a file system that does.',
    )
  }
  const { uid, gid } = os.userInfo()
  const closing = stat.isDirectory() ? `chmod 700 '${filePath}'` : `chmod 600 '${filePath}'`
  return new StartupError(
    `${problem}: it belongs to user ${stat.uid}, and Pulse runs as user ${uid}.`,
    `Run: sudo sh -c "chown ${uid}:${gid} '${filePath}' && ${closing}"`,
    { cause },
  )
}
