import type { Role } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { Caller } from './caller.ts'
import type { Principal } from './principal.ts'

/** After this time a socket must connect through the proxy again, so that the proxy can refuse it. */
const proxyCheckMs = 15 * 60_000
const MAX_USERS = 10_000

/** What a proxy says of a user. */
export interface ProxyClaim {
  name: string
  role: Role
}

/**
 * Users whom a proxy has authenticated. Pulse has no accounts for them and cannot query the proxy, so the
 * last call through the proxy determines their rights. An open socket is accepted for 15 minutes.
 */
export interface ProxyUsers {
  seen(claim: ProxyClaim, caller: Caller): Promise<Principal>
  /** Another process has seen the user. */
  heard(claim: ProxyClaim): void
}

export function createProxyUsers(
  clock: Clock,
  {
    onViewer,
    onChanged,
    onNew = () => {},
  }: {
    onViewer: (who: Principal, caller: Caller) => Promise<void>
    /** sockets with the earlier role must be closed */
    onChanged: () => void
    /** This process has not seen the user before, or with another role. */
    onNew?: ((claim: ProxyClaim) => void) | undefined
  },
): ProxyUsers {
  /** the last claims, the least recent user first. One that was replaced never counts again. */
  const claims = new Map<string, ProxyClaim>()

  function take(claim: ProxyClaim): ProxyClaim {
    const { name, role } = claim
    const before = claims.get(name)
    const taken = before?.role === role ? before : claim
    claims.delete(name)
    claims.set(name, taken)
    if (claims.size > MAX_USERS) claims.delete(claims.keys().next().value!)
    if (before && before !== taken) onChanged()
    return taken
  }

  return {
    heard: (claim) => void take(claim),
    async seen({ name, role }, caller) {
      const since = clock.monotonic()
      const isNew = claims.get(name)?.role !== role
      const own = take({ name, role })
      if (isNew) onNew(own)
      const isCurrent = () => claims.get(name) === own && clock.monotonic() - since < proxyCheckMs
      const principal: Principal = { method: 'proxy', id: `proxy:${name}`, name, role, isCurrent }
      if (role !== 'admin') await onViewer(principal, caller)
      return principal
    },
  }
}
