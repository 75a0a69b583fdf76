import fs from 'node:fs'
import path from 'node:path'
import { StartupError } from '../startup-error.ts'

/** Files in the data folder of Pulse 4.x that this version never creates (facts of 4.25). */
const legacyFiles = [
  'nodes.enc',
  'email.enc',
  'webhooks.enc',
  'apprise.enc',
  'oidc.enc',
  'system.json',
  'alerts.json',
  'api_tokens.json',
  'guest_metadata.json',
]

/** Throws on a data folder of Pulse 4.x that this version has not used yet, before changing it. */
export function refuseLegacyFolder(dir: string): void {
  const isThere = (name: string) => fs.existsSync(path.join(dir, name))
  if (['pulse.db', 'pulse.db.copy', 'pulse.lock'].some(isThere)) return
  const found = legacyFiles.filter(isThere)
  if (found.length === 0 && isBarelyUsed(dir)) found.push('.env', '.encryption.key')
  if (found.length === 0) return
  throw new StartupError(
    `The data folder ${dir} belongs to Pulse 4.x (${found.join(', ')}).`,
    'Nothing in it was changed. Give this Pulse a folder of its own with PULSE_DATA_DIR. Then export the configuration ' +
      'in Pulse 4.x and import it here: Settings, System, Import configuration, or `config import <file>` on the ' +
      'console. docs/moving.md has the steps.',
  )
}

/**
 * Pulse 4.x has only these files until more than its first account is set up. It writes its key without a
 * trailing newline.
 */
function isBarelyUsed(dir: string): boolean {
  const [variables, key] = ['.env', '.encryption.key'].map((name) => path.join(dir, name))
  const isPlainFile = (file: string) => fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true
  if (!isPlainFile(variables!) || !isPlainFile(key!)) return false
  return /^[A-Za-z0-9+/]{43}=$/.test(textOf(key!).slice(0, 46))
}

/** An unreadable key is reported when it is needed. */
function textOf(file: string): string {
  try {
    return fs.readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
