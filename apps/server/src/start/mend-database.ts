import fs from 'node:fs'
import path from 'node:path'
import { examine, type Finding } from '../db/examine.ts'
import { examineEarlier, restore, setAside } from '../db/restore.ts'
import type { Vault } from '../seal.ts'
import { StartupError } from '../startup-error.ts'

interface MendOptions {
  keyFile: string
  vault: Vault | undefined
  /** Pulse has run on this folder before, even if files are missing now */
  usedBefore: boolean
  nowMs: number
}

/** Leaves a usable file, or none if there are no data to lose. Returns notices for the administrator. */
export function mendDatabase(
  file: string,
  { keyFile, vault, usedBefore, nowMs }: MendOptions,
): string | undefined {
  const found = look(file, vault)
  if (found.is === 'usable') return undefined
  refuseNewer(file, found)
  const isUnused = found.is === 'missing' || found.is === 'empty'
  if (isUnused && !usedBefore && !hasSigns(path.dirname(file))) return undefined
  const copies = examineEarlier(file, vault)
  // A newer version's copy is worth more than an older one that this version can read.
  const usable = copies.find(({ finding }) => ['usable', 'newer'].includes(finding.is))
  if (usable) refuseNewer(usable.file, usable.finding)
  const what = `The database ${path.basename(file)} ${whatIs(found)}`
  if (usable) {
    const aside = inFolder(file, () => restore(file, usable.file, nowMs))
    const kept = aside ? ` and is kept as ${path.basename(aside)}` : ''
    const age = new Date(fs.statSync(usable.file).mtimeMs).toISOString()
    return (
      `${what}${kept}. Pulse continues with its copy of ${age}; all users must sign in again. ` +
      'Later changes are lost: check nodes, users and tokens.'
    )
  }
  const all = [found, ...copies.map(({ finding }) => finding)]
  if (all.some(({ is }) => is === 'sealed')) throw keyMissing(keyFile)
  if (all.some(({ is }) => is === 'foreign')) throw keyWrong(keyFile)
  const aside = inFolder(file, () => setAside(file, nowMs))
  const kept = aside ? ` and is kept as ${path.basename(aside)}` : ''
  return (
    `${what}${kept}, and no usable copy exists: Pulse starts with an empty configuration, locked until sign-in is ` +
    `set up with the one-time token from its console. To restore the earlier one, stop Pulse, put pulse.db ` +
    `from your backup into ${path.dirname(file)} and start it again.`
  )
}

function look(file: string, vault: Vault | undefined): Finding {
  return inFolder(file, () => examine(file, vault))
}

function whatIs(finding: Finding): string {
  if (finding.is === 'damaged') return `was damaged (${finding.why})`
  if (finding.is === 'foreign' || finding.is === 'sealed') return 'was that of another installation'
  return finding.is === 'missing' ? 'was missing' : 'was empty'
}

/** Permissions, a full disk, a broken one: no file is moved, and the error says what to do. */
function inFolder<T>(file: string, job: () => T): T {
  try {
    return job()
  } catch (cause) {
    throw new StartupError(
      `The database ${file} cannot be read or repaired: ${(cause as Error).message}`,
      'Check the free space and the permissions of the data folder, then start Pulse again. Nothing was changed.',
      { cause },
    )
  }
}

function refuseNewer(file: string, finding: Finding) {
  if (finding.is !== 'newer') return
  throw new StartupError(
    `The database ${file} was written by a newer version of Pulse (${finding.names.join(', ')}).`,
    'Start the newer version again, or restore the copy pulse.db.before-… from the data folder.',
  )
}

const keyMissing = (file: string) =>
  new StartupError(
    `The encryption key ${file} is missing, but this data folder holds passwords sealed with it.`,
    'Restore the key file from your backup. Without it the stored passwords are lost: ' +
      'to start over, move the data folder away and add your nodes again.',
  )

const keyWrong = (file: string) =>
  new StartupError(
    `The encryption key ${file} is not the one this data folder was sealed with.`,
    'Restore the right key file, or set its path with PULSE_ENCRYPTION_KEY_FILE.',
  )

/**
 * Pulse has stored data here before. Only Pulse's own files count, because an administrator may add others
 * before the first start.
 */
function hasSigns(dataDir: string): boolean {
  const isOurs = (name: string) =>
    /^pulse\.db./.test(name) || ['.encryption.key', '.bootstrap_token', 'temperature'].includes(name)
  return fs.existsSync(dataDir) && fs.readdirSync(dataDir).some(isOurs)
}
