import fs from 'node:fs'
import type { Server, Socket } from 'node:net'
import { clientKey, plainAddress } from '../auth/caller.ts'
import type { Networks } from '../auth/networks.ts'

export interface ConnectionLimits {
  total: number
  perAddress: number
}

/**
 * A thousand browsers with seven connections each make a large site. If the process may open fewer files, a
 * quarter of them is reserved for the database and the sources. No single address may use more than half of
 * the connections.
 */
export function connectionLimits(openFiles: number): ConnectionLimits {
  const total = Math.min(8_000, Math.floor(openFiles * 0.75))
  return { total, perAddress: Math.floor(total / 2) }
}

export interface Connections {
  /** Closes all connections, whatever their state. */
  destroyAll(): void
}

/**
 * A connection above the limit is closed at once, before anything is read. A declared proxy represents many
 * clients.
 */
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

/** Used when the system does not report a limit. */
const USUAL = 1_024

/** Maximum number of open files of this process, including connections. */
export function openFilesLimit(read = () => fs.readFileSync('/proc/self/limits', 'utf8')): number {
  try {
    const soft = /^Max open files +(\d+|unlimited)/m.exec(read())?.[1]
    return soft === 'unlimited' ? Infinity : Number(soft ?? USUAL)
  } catch {
    return USUAL
  }
}
