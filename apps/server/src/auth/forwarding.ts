import type { UndeclaredProxy } from '@pulse/contract'
import type { Logger } from 'pino'
import type { Caller } from './caller.ts'

const forwardingHeaders = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
] as const
/** Any client can send such headers, so the log and the page limit the number of peers. */
const MAX_PEERS = 5

/** Finds undeclared proxies. Behind such a proxy all users share one address. */
export interface Forwarding {
  look(caller: Caller): void
  undeclared(): readonly UndeclaredProxy[]
}

export function createForwarding(log: Logger): Forwarding {
  const found = new Map<string, UndeclaredProxy>()
  return {
    look({ peer, headers, viaTrustedProxy }) {
      if (viaTrustedProxy || peer === '' || found.has(peer) || found.size >= MAX_PEERS) return
      const header = forwardingHeaders.find((name) => headers[name] !== undefined)
      if (header === undefined) return
      found.set(peer, { peer, header })
      log.warn(
        { peer, header },
        'forwarded requests come from an address that is not in PULSE_TRUSTED_PROXIES; their X-Forwarded headers are ignored. If it is your proxy, add it there and restart Pulse',
      )
    },
    undeclared: () => [...found.values()],
  }
}
