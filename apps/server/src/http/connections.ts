import fs from 'node:fs'
import type { Server, Socket } from 'node:net'
import { clientKey, plainAddress } from '../auth/caller.ts'
import type { Networks } from '../auth/networks.ts'

export interface ConnectionLimits {
  total: number
  perAddress: number
}

/**
 * A thousand browsers with seven connections each are a large site. Where the process may open fewer files than that
 * needs, a quarter of them is kept for the database and for asking the sources; no address alone takes more than half.
 */
export function connectionLimits(openFiles: number): ConnectionLimits {
  const total = Math.min(8_000, Math.floor(openFiles * 0.75))
  return { total, perAddress: Math.floor(total / 2) }
}

export interface Connections {
  /** Whatever is still open, in whatever state. */
  destroyAll(): void
}

/** Of one too many nothing is read: it is closed as soon as it comes. A declared proxy speaks for many. */
export function boundConnections(
  server: Server,
  { total, perAddress }: ConnectionLimits,
  trustedProxies: Networks,
): Connections {
  const open = new Set<Socket>()
  const byAddress = new Map<string, number>()
  server.maxConnections = total
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '')
    const key = clientKey(address)
    const count = (byAddress.get(key) ?? 0) + 1
    if (count > perAddress && !trustedProxies.has(address)) return void socket.destroy()
    byAddress.set(key, count)
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      const left = byAddress.get(key)! - 1
      if (left > 0) byAddress.set(key, left)
      else byAddress.delete(key)
    })
  })
  return {
    destroyAll() {
      for (const socket of open) socket.destroy()
    },
  }
}

/** Where the system does not say. */
const USUAL = 1_024

/** How many files, connections included, this process may have open. */
export function openFilesLimit(read = () => fs.readFileSync('/proc/self/limits', 'utf8')): number {
  try {
    const soft = /^Max open files +(\d+|unlimited)/m.exec(read())?.[1]
    return soft === 'unlimited' ? Infinity : Number(soft ?? USUAL)
  } catch {
    return USUAL
  }
}
