import type { Slice } from '@pulse/contract'

export type ConnectionStatus = 'connecting' | 'connected' | 'reconnecting' | 'disconnected'

export interface Connection {
  status: ConnectionStatus
  /** a full state of this connection is in the store; false again once the connection is lost */
  initialDataReceived: boolean
  /** what besides `live` is in the store as a whole; a lost connection leaves it there */
  held: readonly Slice[]
  /**
   * epoch ms of the last sign that what is shown is current, to the second. It moves with each heartbeat: only its first
   * value is a change that listeners hear of, later ones are read along with other changes
   */
  lastUpdate: number | undefined
  /** monotonic ms of the last frame that changed something */
  freshAt: number | undefined
  /** epoch ms of the next attempt, while one is waited for */
  retryAt: number | undefined
  /** attempts that never opened, and connections that the server ended with the session: each is a reason to ask who is signed in */
  turnedAway: number
}

export interface ConnectionSource {
  get(): Connection
  subscribe(listener: () => void): () => void
  set(change: Partial<Connection>): void
}

const initial: Connection = {
  status: 'connecting',
  initialDataReceived: false,
  held: [],
  lastUpdate: undefined,
  freshAt: undefined,
  retryAt: undefined,
  turnedAway: 0,
}

export function createConnection(start: Partial<Connection> = {}): ConnectionSource {
  let current: Connection = { ...initial, ...start }
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    set(change) {
      const keys = Object.keys(change) as (keyof Connection)[]
      const changed = keys.filter((key) => !Object.is(current[key], change[key]))
      if (changed.length === 0) return
      const isHeartbeat = current.lastUpdate !== undefined && changed.every((key) => key === 'lastUpdate')
      current = { ...current, ...change }
      if (isHeartbeat) return
      for (const listener of listeners) listener()
    },
  }
}
