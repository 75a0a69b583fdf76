import type { ApiToken } from '@pulse/contract'
import { useSyncExternalStore } from 'react'
import { createSignal } from '../../lib/signal.ts'

export interface RevealedToken {
  token: string
  record: Pick<ApiToken, 'name' | 'prefix' | 'suffix'>
  /** page that created it */
  source: string
  note?: string
}

interface Reveal {
  /** in memory only, until it is dismissed or the page is closed */
  revealed: RevealedToken | undefined
  open: boolean
}

const nothing: Reveal = { revealed: undefined, open: false }
let current = nothing
const changed = createSignal()

function set(next: Reveal): void {
  current = next
  changed.emit()
}

/** Shows a new token, which replaces the previous one. */
export const revealToken = (revealed: RevealedToken) => set({ revealed, open: true })
export const reopenReveal = () => set({ ...current, open: current.revealed !== undefined })
/** Closes the dialog; the reminder stays. */
export const closeReveal = () => set({ ...current, open: false })
/** Discards the token. */
export const dismissToken = () => set(nothing)

export const useReveal = (): Reveal => useSyncExternalStore(changed.subscribe, () => current)
