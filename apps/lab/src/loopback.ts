import { once } from 'node:events'
import type { Server } from 'node:http'

const nodesPerThirdOctet = 240
const firstHost = 11
const firstFreeBlock = 64
const lastFreeBlock = 254

/** Everything the lab binds is inside 127.0.0.0/8; anything else is a mistake in the lab itself. */
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

/** Blocks to try, starting anywhere, so that labs which start together seldom meet. */
export function* freeBlocks(): Generator<string> {
  const count = lastFreeBlock - firstFreeBlock + 1
  const start = Math.floor(Math.random() * count)
  for (let step = 0; step < count; step++) yield `127.${firstFreeBlock + ((start + step) % count)}`
}

export const isAddressInUse = (error: unknown): error is Error =>
  error instanceof Error &&
  ((error as NodeJS.ErrnoException).code === 'EADDRINUSE' || isAddressInUse(error.cause))

/** Ends also what is still connected. */
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
