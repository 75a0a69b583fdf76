import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { StartupError } from '../startup-error.ts'

const OTHERS = 0o077
/** What Pulse itself keeps here: it must not stay open. Anything else (a pulse.yaml, a certificate) is its owner's affair. */
const isOurs = (name: string) =>
  /^(pulse\.(db|lock|pid)|\.env$|\.bootstrap_token$|temperature$)|\.(log|key)(\.|$)/.test(name)
const MAX_DEPTH = 4

/**
 * An earlier version, a restore or a copy by hand may have left the data folder open to other users. It is closed,
 * all below it too; what cannot be closed stops the start with the command that does it.
 * The encryption key is left alone: one that others could read is refused where it is read.
 */
export function tightenDataDir(dir: string): void {
  close(dir, true)
  closeBelow(dir, 1, false)
}

function closeBelow(dir: string, depth: number, ours: boolean) {
  for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
    const mustClose = ours || isOurs(entry.name)
    if (entry.name === '.encryption.key' || !(entry.isFile() || entry.isDirectory())) continue
    const place = path.join(dir, entry.name)
    close(place, mustClose)
    if (entry.isDirectory() && depth < MAX_DEPTH) closeBelow(place, depth + 1, mustClose)
  }
}

function close(place: string, mustClose: boolean) {
  const stat = fs.lstatSync(place, { throwIfNoEntry: false })
  if (!stat || !(stat.mode & OTHERS)) return
  try {
    fs.chmodSync(place, stat.mode & 0o700)
  } catch (cause) {
    if (mustClose) throw refusal(place, stat, cause)
    return
  }
  if (mustClose && fs.lstatSync(place).mode & OTHERS) throw refusal(place, stat, undefined)
}

function refusal(place: string, stat: fs.Stats, cause: unknown): StartupError {
  const what = stat.isDirectory() ? 'folder' : 'file'
  const mode = (stat.mode & 0o777).toString(8)
  const problem = `The ${what} ${place} is open to other users (mode ${mode}) and Pulse cannot close it`
  if (cause === undefined) {
    return new StartupError(
      `${problem}: its file system does not support permissions.`,
      'Set PULSE_DATA_DIR to a folder on a file system that does.',
    )
  }
  const { uid, gid } = os.userInfo()
  const closing = stat.isDirectory() ? `chmod 700 '${place}'` : `chmod 600 '${place}'`
  return new StartupError(
    `${problem}: it belongs to user ${stat.uid}, and Pulse runs as user ${uid}.`,
    `Run: sudo sh -c "chown ${uid}:${gid} '${place}' && ${closing}"`,
    { cause },
  )
}
