import type { SetupKind } from '@pulse/contract'
import { withoutTail } from '@pulse/domain'
import { AppError } from '../app-error.ts'
import { normalizeHost } from '../node-config/normalize.ts'

/** What a script is made of. Every value has been checked; the script quotes them all the same. */
export interface SetupValues {
  type: SetupKind
  /** https://host:port of the host that is to be watched */
  host: string
  /** address under which that host reaches this server */
  pulseUrl: string
  backupPerms: boolean
  /** also puts in the temperature helper */
  temperature?: boolean
  /** of this server's own key, when its certificate vouches for itself */
  tlsPin: string | undefined
}

const allowed = /^https?:\/\/(?:[A-Za-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/
const allowedPath = /^(?:\/[A-Za-z0-9._~-]+)*$/

const invalid = (field: string, message: string) =>
  new AppError('validation_failed', message, { details: { [field]: message } })

/** Stricter than for a connection: the address becomes part of a program that runs as root. */
export function setupHost(text: string, type: SetupKind): string {
  const host = normalizeHost(text, type)
  if (!allowed.test(host)) {
    throw invalid('host', 'For a setup script the address may hold letters, digits, dots and hyphens only.')
  }
  return host
}

/** The address of a Pulse, with the path it lies below, in the allowed signs; undefined when it is something else. */
export function setupAddress(text: string | undefined): string | undefined {
  const url = URL.parse(text ?? '')
  const path = url ? withoutTail(url.pathname, '/') : ''
  return url && allowed.test(url.origin) && allowedPath.test(path) ? url.origin + path : undefined
}

/** Says which server a token belongs to, so that several can watch one host. */
export function tokenNameFor(pulseUrl: string): string {
  const words = new URL(pulseUrl).host.split(/[^A-Za-z0-9]+/).filter(Boolean)
  return ['pulse', ...words].join('-').slice(0, 60).replace(/-$/, '')
}

export const scriptUrl = ({ type, host, pulseUrl, backupPerms, temperature }: SetupValues): string =>
  `${pulseUrl}/api/setup-script?${new URLSearchParams({
    type,
    host,
    pulse_url: pulseUrl,
    ...(type === 'pve' ? { backup_perms: String(backupPerms) } : {}),
    ...(temperature ? { temperature: 'true' } : {}),
  })}`
