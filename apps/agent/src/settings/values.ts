/** A setting with an invalid value. The message is for the user who set it, and never repeats a token. */
export class SettingsError extends Error {}

const on = ['true', '1', 'yes', 'y', 'on', 't', 'insecure']
const off = ['false', '0', 'no', 'n', 'off', 'f', '']

/** `what` names the setting in the error. */
export function parseSwitch(text: string, what: string): boolean {
  const word = text.trim().toLowerCase()
  if (on.includes(word)) return true
  if (off.includes(word)) return false
  throw new SettingsError(`${what} is neither true nor false.`)
}

const unitMs = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const

/** `30s`, `1m30s`, `1.5h`; a bare number means seconds. Undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  let rest = text.trim()
  if (/^\d{1,9}$/.test(rest)) return Number(rest) * 1_000
  let sumMs = 0
  while (rest !== '') {
    const part = /^(\d{1,9}(?:\.\d{1,9})?)(ns|us|µs|ms|s|m|h)/.exec(rest)
    if (!part) return undefined
    sumMs += Number(part[1]) * unitMs[part[2] as keyof typeof unitMs]
    rest = rest.slice(part[0].length)
  }
  return text.trim() === '' ? undefined : sumMs
}
