import type { Role } from '@pulse/contract'
import type { Secret } from '@pulse/domain'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Caller } from './caller.ts'

/** How a proxy in front of Pulse reports its user. The start refuses incomplete settings. */
export interface ProxyAuth {
  secret: Secret
  /** lower case, like Node's header names */
  userHeader: string
  /** undefined: the proxy reports no roles, and its users are administrators */
  role: { header: string; separator: string; admin: string } | undefined
  logoutUrl: string | undefined
}

/** A longer name is refused. */
export const mostNameCharacters = 128

const secretHeader = 'x-proxy-secret'

export type ProxyClaim = { kind: 'none' } | { kind: 'refused' } | { kind: 'user'; name: string; role: Role }

/** The headers count only from a trusted proxy that sends the secret. */
export function readProxyClaim(settings: ProxyAuth | undefined, caller: Caller): ProxyClaim {
  const shown = caller.headers[secretHeader]
  if (!settings || shown === undefined || !caller.viaTrustedProxy) return { kind: 'none' }
  const name = only(caller.headers[settings.userHeader])?.trim()
  if (
    typeof shown !== 'string' ||
    !isSame(shown, settings.secret.reveal()) ||
    !name ||
    name.length > mostNameCharacters
  ) {
    return { kind: 'refused' }
  }
  return { kind: 'user', name, role: roleOf(settings, caller) }
}

function roleOf({ role }: ProxyAuth, { headers }: Caller): Role {
  if (!role) return 'admin'
  const roles = (only(headers[role.header]) ?? '').split(role.separator).map((one) => one.trim())
  return roles.includes(role.admin) ? 'admin' : 'viewer'
}

/** A repeated header is ignored. */
const only = (value: string | string[] | undefined) => (Array.isArray(value) ? undefined : value)

const digest = (text: string) => createHash('sha256').update(text).digest()
const isSame = (a: string, b: string) => timingSafeEqual(digest(a), digest(b))
