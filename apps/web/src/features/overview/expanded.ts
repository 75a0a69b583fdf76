import { useSyncExternalStore } from 'react'

/** Guests whose details are open, by store id; remembered while the page is left and come back to. */
let expanded: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useExpandedGuests = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => expanded)

export function toggleExpanded(id: string): void {
  const next = new Set(expanded)
  if (!next.delete(id)) next.add(id)
  setExpanded(next)
}

export const collapseAll = (): void => setExpanded(new Set())

function setExpanded(next: ReadonlySet<string>): void {
  expanded = next
  for (const listener of listeners) listener()
}
