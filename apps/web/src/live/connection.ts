import type { Slice } from '@pulse/contract'
import { createSignal } from '../lib/signal.ts'

export type ConnectionStatus = 'connecting' | 'connected' | 'reconnecting' | 'disconnected'

export interface Connection {
  status: ConnectionStatus
  /** a full state of this connection is in the store; false again once the connection is lost */
  initialDataReceived: boolean
  /** complete slices of the store, except `live`; they stay while the connection is lost */
  loadedSlices: readonly Slice[]
  /** epoch ms of the last frame or heartbeat, to the second. Only the first value notifies listeners */
  lastUpdate: number | undefined
  /** monotonic ms of the last frame that changed data */
  dataChangedAt: number | undefined
  /** epoch ms of the next attempt while the socket waits for it */
  retryAt: number | undefined
  /**
   * attempts that never opened, and connections closed because the session ended. Each one triggers a check
   * of the session
   */
  refusals: number
}

export interface ConnectionSource {
  get(): Connection
  subscribe(listener: () => void): () => void
  set(change: Partial<Connection>): void
}

const initial: Connection = {
  status: 'connecting',
  initialDataReceived: false,
  loadedSlices: [],
  lastUpdate: undefined,
  dataChangedAt: undefined,
  retryAt: undefined,
  refusals: 0,
}

export function createConnection(start: Partial<Connection> = {}): ConnectionSource {
  let current: Connection = { ...initial, ...start }
  const updated = createSignal()
  return {
    get: () => current,
    subscribe: updated.subscribe,
    set(change) {
      const keys = Object.keys(change) as (keyof Connection)[]
      const changed = keys.filter((key) => !Object.is(current[key], change[key]))
      if (changed.length === 0) return
      const isHeartbeat = current.lastUpdate !== undefined && changed.every((key) => key === 'lastUpdate')
      current = { ...current, ...change }
      if (isHeartbeat) return
      updated.emit()
    },
  }
}
