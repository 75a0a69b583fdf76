import { defaultPorts, defaultRealms, mainSite, type SourceKind } from '@pulse/contract'
import { isIPv6 } from 'node:net'
import { AppError } from '../app-error.ts'

const invalid = (field: string, message: string) =>
  new AppError('validation_failed', message, { details: { [field]: message } })

/** Normalizes `pve1`, `192.0.2.1:8006`, `https://pve1:8006/#v1` … to `https://host:port`. */
export function normalizeHost(text: string, kind: SourceKind): string {
  const trimmed = text.trim()
  if (trimmed === '') throw invalid('host', 'Host is required')
  const bare = isIPv6(trimmed) ? `[${trimmed}]` : trimmed
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(bare) ? bare : `https://${bare}`
  const authority = /^https:[/\\]*([^/\\?#]*)/i.exec(withScheme)?.[1] ?? ''
  if (authority.includes('%') && !authority.includes('@')) {
    throw invalid('host', 'An address with a zone (%) is only valid on one machine. Use another address.')
  }
  const url = URL.parse(withScheme)
  if (!url || url.hostname === '' || /\s/.test(trimmed)) {
    throw invalid('host', `"${trimmed}" is not an address. Use a form like https://192.0.2.10:8006`)
  }
  if (url.protocol !== 'https:') {
    throw invalid('host', 'The address must begin with https://, because a password is sent to it.')
  }
  if (url.username || url.password) {
    throw invalid('host', 'Remove user and password from the address; they have their own fields.')
  }
  if (!isHostName(url.hostname)) {
    throw invalid('host', `"${url.hostname.slice(0, 100)}" is not a host name or IP address.`)
  }
  // URL drops the scheme's default port, so the text itself shows whether a port was given.
  const explicit = /:(\d+)$/.exec(authority)
  const port = explicit ? Number(explicit[1]) : defaultPorts[kind]
  if (port === 0) throw invalid('host', 'Port 0 is not a valid port.')
  return `https://${url.hostname}:${port}`
}

/** URL accepts characters that DNS and certificates do not, such as quotes and brackets. */
const isHostName = (name: string) =>
  name.length <= 253 && /^(\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?\.?)$/.test(name)

/** The readable form of a name: one line without invisible characters. */
export const normalizeName = (text: string): string =>
  text
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .trim()

/** The main site, whether it is named or not, is no site of a connection. */
export function normalizeSite(text: string): string | undefined {
  const site = text.trim()
  return site === '' || site === mainSite ? undefined : site
}

/** Completes `mon` to `mon@pam`, for example. */
export const withRealm = (user: string, kind: SourceKind): string =>
  user.includes('@') ? user : `${user}@${defaultRealms[kind]}`

/** `user@realm!name`, from the full form or from a bare token name with its user. */
export function normalizeTokenId(tokenName: string, user: string | undefined, kind: SourceKind): string {
  const [owner, name] = tokenName.includes('!') ? tokenName.split('!', 2) : [user, tokenName]
  // The id is sent in a header, which only carries visible ASCII reliably.
  if (!owner || !name || !/^[!-~]+$/.test(owner + name) || /[:=]/.test(owner + name)) {
    throw invalid('tokenName', 'Token ID must have the form user@realm!tokenname')
  }
  return `${withRealm(owner, kind)}!${name}`
}

/** Removes invisible characters, which were pasted by mistake. */
export function normalizeTokenValue(text: string): string {
  const value = text.trim()
  if (!/^[!-~]+$/.test(value)) throw invalid('tokenValue', 'The token value contains invalid characters.')
  return value
}

/** Lower-case hex without colons. */
export function normalizeFingerprint(text: string): string {
  const hex = text.replaceAll(/[\s:]/g, '').toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(hex)) {
    throw invalid(
      'fingerprint',
      'The fingerprint must be the SHA-256 one: 64 hexadecimal digits, with or without colons.',
    )
  }
  return hex
}

/** Upper-case pairs with colons, as Proxmox shows it. */
export const showFingerprint = (hex: string): string => hex.toUpperCase().match(/../g)!.join(':')

/** Derives a name from the address when the user gave none. */
export const nameFromHost = (host: string): string => new URL(host).hostname.replaceAll(/[[\]]/g, '')
