import { once } from 'node:events'
import type { Server } from 'node:http'

const nodesPerThirdOctet = 240
const firstHost = 11
const firstFreeBlock = 64
const lastFreeBlock = 254

/** The lab binds only addresses in 127.0.0.0/8; any other address is a bug in the lab. */
export function nodeAddress(base: string, index: number): string {
  const [first, second, third = 0] = base.split('.').map(Number)
  const address = [
    first,
    second,
    third + Math.floor(index / nodesPerThirdOctet),
    firstHost + (index % nodesPerThirdOctet),
  ]
  if (first !== 127 || address.some((part) => part === undefined || part > 255)) {
    throw new Error(`${address.join('.')} is not a loopback address`)
  }
  return address.join('.')
}

/** Candidate blocks from a random start, so that labs started together rarely collide. */
export function* freeBlocks(): Generator<string> {
  const count = lastFreeBlock - firstFreeBlock + 1
  const start = Math.floor(Math.random() * count)
  for (let step = 0; step < count; step++) yield `127.${firstFreeBlock + ((start + step) % count)}`
}

export const isAddressInUse = (error: unknown): error is Error =>
  error instanceof Error &&
  ((error as NodeJS.ErrnoException).code === 'EADDRINUSE' || isAddressInUse(error.cause))

/** Also closes open connections. */
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
