import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartupError } from '../startup-error.ts'
import { restoringMark } from './restoring-mark.ts'
import { tightenDataDir } from './tighten.ts'

const SQLITE_BUSY = 5

export interface DataDir {
  path: string
  /** Pulse has run on this folder before, so a configuration must exist. */
  usedBefore: boolean
  release(): void
}

/**
 * Opens the data folder for this process alone. SQLite holds an operating system lock on it, which ends with
 * the process in any case.
 */
export function claimDataDir(dir: string): DataDir {
  makeWritable(dir)
  refuseWhileRestoring(dir)
  tightenDataDir(dir)
  const pidFile = path.join(dir, 'pulse.pid')
  const lockFile = path.join(dir, 'pulse.lock')
  const usedBefore = fs.existsSync(lockFile)
  fs.closeSync(fs.openSync(lockFile, 'a', 0o600))
  const lock = new DatabaseSync(lockFile, { timeout: 0 })
  try {
    // Without a journal on the disk, so that Pulse starts on a full disk.
    lock.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    if (((cause as { errcode?: number }).errcode ?? 0) % 256 !== SQLITE_BUSY) throw notWritable(dir, cause)
    throw new StartupError(
      `The data folder ${dir} is in use by another Pulse${ownerOf(pidFile)}.`,
      'Stop that one first, or give this one its own folder with PULSE_DATA_DIR.',
      { cause },
    )
  }
  notePid(pidFile)
  return {
    path: dir,
    usedBefore,
    release() {
      fs.rmSync(pidFile, { force: true })
      lock.close()
    },
  }
}

function makeWritable(dir: string) {
  try {
    fs.mkdirSync(dir, { recursive: true, mode: 0o700 })
    const probe = path.join(dir, `.write-test-${process.pid}`)
    fs.writeFileSync(probe, '', { mode: 0o600 })
    fs.rmSync(probe)
  } catch (cause) {
    throw notWritable(dir, cause)
  }
}

const notWritable = (dir: string, cause: unknown) =>
  new StartupError(
    `The data folder ${dir} cannot be written: ${(cause as Error).message}`,
    'Give the user that runs Pulse write access to it, or name another folder with PULSE_DATA_DIR.',
    { cause },
  )

/** An update is being undone, so the folder contains neither version's data completely. */
function refuseWhileRestoring(dir: string) {
  if (!fs.existsSync(path.join(dir, restoringMark))) return
  throw new StartupError(
    `The data in ${dir} are being restored after a failed update.`,
    'This continues automatically. If it does not, run: systemctl start pulse-update.service',
  )
}

/** A hint for a user who starts a second Pulse. On a full disk it is missing, never wrong. */
function notePid(pidFile: string) {
  try {
    fs.writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    fs.rmSync(pidFile, { force: true })
  }
}

function ownerOf(pidFile: string): string {
  if (!fs.existsSync(pidFile)) return ''
  return ` (process ${fs.readFileSync(pidFile, 'utf8').trim()})`
}
