import type { SetupKind } from '@pulse/contract'
import { withoutTail } from '@pulse/domain'
import { AppError } from '../app-error.ts'
import { normalizeHost } from '../node-config/normalize.ts'

/** The values in a script. All have been checked; the script quotes them nevertheless. */
export interface SetupValues {
  type: SetupKind
  /** https://host:port of the host to monitor */
  host: string
  /** the address of this server as that host reaches it */
  pulseUrl: string
  backupPerms: boolean
  /** also installs the temperature helper */
  temperature?: boolean
  /** pin of this server's own key, for a self-signed certificate */
  tlsPin: string | undefined
}

const allowed = /^https?:\/\/(?:[A-Za-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/
const allowedPath = /^(?:\/[A-Za-z0-9._~-]+)*$/

const invalid = (field: string, message: string) =>
  new AppError('validation_failed', message, { details: { [field]: message } })

/** Stricter than for a connection, because the address becomes part of a program that runs as root. */
export function setupHost(text: string, type: SetupKind): string {
  const host = normalizeHost(text, type)
  if (!allowed.test(host)) {
    throw invalid('host', 'For a setup script the address may hold letters, digits, dots and hyphens only.')
  }
  return host
}

/** The address of a Pulse with its base path, in the allowed characters; otherwise undefined. */
export function setupAddress(text: string | undefined): string | undefined {
  const url = URL.parse(text ?? '')
  const path = url ? withoutTail(url.pathname, '/') : ''
  return url && allowed.test(url.origin) && allowedPath.test(path) ? url.origin + path : undefined
}

/** Names the server of a token, so that several servers can monitor one host. */
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
