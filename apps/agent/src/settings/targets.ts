import { parseSwitch, SettingsError } from './values.ts'

/** A server that receives the reports. */
export interface Target {
  /** without a trailing slash */
  url: string
  token: string
  /** its certificate is not verified */
  insecure: boolean
}

/** `url|token[|insecure]`, separated by `;` or line breaks. */
export function parseTargets(text: string): Target[] {
  return text
    .split(/[;\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseTarget)
}

function parseTarget(entry: string): Target {
  const [url = '', token = '', insecure = '', ...rest] = entry.split('|').map((part) => part.trim())
  if (rest.length > 0) throw new SettingsError('A target has more than three parts: url|token|insecure.')
  return aTarget(url, token, parseSwitch(insecure, 'The third part of a target'))
}

export function aTarget(url: string, token: string, insecure: boolean): Target {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol)) {
    throw new SettingsError(
      'The URL of a server must begin with http:// or https://, for example http://host:7655.',
    )
  }
  const { origin, pathname, username, password } = parsed
  if (username || password)
    throw new SettingsError(`The URL of ${origin} contains a user name or password: remove it.`)
  if (token === '') throw new SettingsError(`There is no token for ${origin}: set PULSE_TOKEN or --token.`)
  // the token is sent in a header
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new SettingsError(`The token for ${origin} contains invalid characters.`)
  return { url: origin + pathname.replace(/\/$/, ''), token, insecure }
}

/** Removes duplicates, in the given order. */
export function withoutDuplicates(targets: readonly Target[]): Target[] {
  return [...new Map(targets.map((target) => [targetText(target), target])).values()]
}

/** The format of `parseTargets`. */
export const targetText = ({ url, token, insecure }: Target): string => `${url}|${token}|${insecure}`
