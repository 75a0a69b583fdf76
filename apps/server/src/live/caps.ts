import { AppError } from '../app-error.ts'
import type { Principal } from '../auth/principal.ts'

export interface SocketCaps {
  total: number
  perAddress: number
  perPrincipal: number
  adminReserve: number
}

/**
 * A thousand displays behind one address, signed in with one token, are a large but legitimate site. Some of
 * their old sockets may still count while they reconnect. An idle socket uses some 20 kB, so all of them
 * together stay near 100 MB. The last places per address and in total are reserved for administrators.
 */
export const socketCaps: SocketCaps = {
  total: 4_000,
  perAddress: 2_500,
  perPrincipal: 1_500,
  adminReserve: 100,
}

export interface Visitor {
  principal: Principal
  /** the key for counting its address */
  client: string
}

/** Counts open sockets by address and by principal. */
export interface SocketCounts {
  /** The reason why one more socket is refused. */
  refusalOf(visitor: Visitor): AppError | undefined
  take(visitor: Visitor): () => void
}

export function countSockets({ total, perAddress, perPrincipal, adminReserve }: SocketCaps): SocketCounts {
  const byPrincipal = new Map<string, number>()
  const byAddress = new Map<string, number>()
  let all = 0

  return {
    refusalOf({ principal, client }) {
      const reserved = principal.role === 'admin' ? 0 : adminReserve
      if ((byPrincipal.get(principal.id) ?? 0) >= perPrincipal)
        return full('this account or token', perPrincipal)
      if ((byAddress.get(client) ?? 0) >= perAddress - reserved) return full('your address', perAddress)
      if (all >= total - reserved) return full('this server', total)
      return undefined
    },
    take({ principal, client }) {
      all++
      add(byPrincipal, principal.id, 1)
      add(byAddress, client, 1)
      return () => {
        all--
        add(byPrincipal, principal.id, -1)
        add(byAddress, client, -1)
      }
    },
  }
}

function add(counts: Map<string, number>, key: string, by: 1 | -1) {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}

const full = (whose: string, most: number) =>
  new AppError(
    'too_many_connections',
    `Too many live connections: ${whose} may have ${most} at a time. Close some and try again.`,
    { headers: { 'retry-after': '30' } },
  )
