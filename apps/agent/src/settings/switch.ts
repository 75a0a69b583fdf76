import { SettingsError } from './settings-error.ts'

const on = ['true', '1', 'yes', 'y', 'on', 't', 'insecure']
const off = ['false', '0', 'no', 'n', 'off', 'f', '']

/** `what` names the setting for whoever wrote it. */
export function parseSwitch(text: string, what: string): boolean {
  const word = text.trim().toLowerCase()
  if (on.includes(word)) return true
  if (off.includes(word)) return false
  throw new SettingsError(`${what} is neither true nor false.`)
}
