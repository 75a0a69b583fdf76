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
  /** roles of the last calls, the least recent user first */
  const roles = new Map<string, Role>()

  function heard({ name, role }: ProxyClaim) {
    const isChanged = (roles.get(name) ?? role) !== role
    roles.delete(name)
    roles.set(name, role)
    if (roles.size > MAX_USERS) roles.delete(roles.keys().next().value!)
    if (isChanged) onChanged()
  }

  return {
    heard,
    async seen({ name, role }, caller) {
      const since = clock.monotonic()
      const isNew = roles.get(name) !== role
      heard({ name, role })
      if (isNew) onNew({ name, role })
      const isCurrent = () => roles.get(name) === role && clock.monotonic() - since < proxyCheckMs
      const principal: Principal = { method: 'proxy', id: `proxy:${name}`, name, role, isCurrent }
      if (role !== 'admin') await onViewer(principal, caller)
      return principal
    },
  }
}
