import type { Slice } from '@pulse/contract'
import { createContext, type ReactNode, useContext } from 'react'
import type { ConnectionSource } from './connection.ts'
import type { LiveEvents } from './events.ts'
import type { LiveStore } from './store.ts'

/** The live state of this browser. main.tsx or a test creates it once. */
export interface Live {
  store: LiveStore
  connection: ConnectionSource
  events: LiveEvents
  reconnectNow(): void
  /** Subscribes to another slice than `live`. Returns the unsubscribe function. */
  subscribeSlice(slice: Slice): () => void
}

const LiveContext = createContext<Live | undefined>(undefined)

export function LiveProvider({ live, children }: { live: Live; children: ReactNode }) {
  return <LiveContext value={live}>{children}</LiveContext>
}

export function useLiveContext(): Live {
  const live = useContext(LiveContext)
  if (!live) throw new Error('LiveProvider is missing')
  return live
}
