import type { Role } from '@pulse/contract'
import type { Secret } from '@pulse/domain'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Caller } from './caller.ts'

/** How a proxy in front of Pulse tells who its user is. All of it, or none: start refuses what is half set up. */
export interface ProxyAuth {
  secret: Secret
  /** lower case, as Node gives header names */
  userHeader: string
  /** undefined: the proxy knows no roles, and its users are administrators */
  role: { header: string; separator: string; admin: string } | undefined
  logoutUrl: string | undefined
}

const secretHeader = 'x-proxy-secret'

export type ProxyClaim = { kind: 'none' } | { kind: 'refused' } | { kind: 'user'; name: string; role: Role }

/** Its headers count only from a trusted proxy that sends the secret. */
export function readProxyClaim(settings: ProxyAuth | undefined, caller: Caller): ProxyClaim {
  const shown = caller.headers[secretHeader]
  if (!settings || shown === undefined || !caller.viaTrustedProxy) return { kind: 'none' }
  const name = only(caller.headers[settings.userHeader])?.trim()
  if (typeof shown !== 'string' || !isSame(shown, settings.secret.reveal()) || !name || name.length > 128) {
    return { kind: 'refused' }
  }
  return { kind: 'user', name, role: roleOf(settings, caller) }
}

function roleOf({ role }: ProxyAuth, { headers }: Caller): Role {
  if (!role) return 'admin'
  const roles = (only(headers[role.header]) ?? '').split(role.separator).map((one) => one.trim())
  return roles.includes(role.admin) ? 'admin' : 'viewer'
}

/** A header given twice says nothing. */
const only = (value: string | string[] | undefined) => (Array.isArray(value) ? undefined : value)

const digest = (text: string) => createHash('sha256').update(text).digest()
const isSame = (a: string, b: string) => timingSafeEqual(digest(a), digest(b))
