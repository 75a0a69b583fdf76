import type { Caller } from './caller.ts'
import { isLoopbackAddress } from './networks.ts'

/**
 * The address under which administrators open Pulse, for links in messages while none is configured. It stays
 * in memory and comes only from administrators; otherwise any client could plant a link.
 */
export interface OwnAddress {
  look(caller: Pick<Caller, 'site'>): void
  known(): string | undefined
}

export function createOwnAddress(): OwnAddress {
  let known: string | undefined
  return {
    look({ site }) {
      if (site !== undefined && isOfUseElsewhere(site)) known = site
    },
    known: () => known,
  }
}

function isOfUseElsewhere(site: string): boolean {
  const { hostname } = new URL(site)
  return hostname !== 'localhost' && !isLoopbackAddress(hostname.replace(/^\[|\]$/g, ''))
}
