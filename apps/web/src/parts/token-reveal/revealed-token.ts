import type { ApiToken } from '@pulse/contract'
import { useSyncExternalStore } from 'react'

export interface RevealedToken {
  token: string
  record: Pick<ApiToken, 'name' | 'prefix' | 'suffix'>
  /** where it was made */
  source: string
  note?: string
}

interface Reveal {
  /** kept in memory alone, until it is dismissed or the page is left */
  revealed: RevealedToken | undefined
  open: boolean
}

const nothing: Reveal = { revealed: undefined, open: false }
let current = nothing
const listeners = new Set<() => void>()

function set(next: Reveal): void {
  current = next
  for (const listener of listeners) listener()
}

/** Shows a new token; it takes the place of an earlier one. */
export const revealToken = (revealed: RevealedToken) => set({ revealed, open: true })
export const reopenReveal = () => set({ ...current, open: current.revealed !== undefined })
/** The dialog goes, the reminder stays. */
export const closeReveal = () => set({ ...current, open: false })
/** The token is forgotten. */
export const dismissToken = () => set(nothing)

export const useReveal = (): Reveal =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => current,
  )
