import { createSignal } from '../../../lib/signal.ts'

/** Deadline for the live state to confirm a change. */
export const confirmMs = 15_000
/** The button stays locked this long after its answer. */
export const lockMs = 1_500

export interface PendingView {
  /** requested states not yet confirmed, by alert id */
  wanted: ReadonlyMap<string, boolean>
  /** alerts with a locked button */
  locked: ReadonlySet<string>
}

export interface Pending {
  view(): PendingView
  subscribe(listener: () => void): () => void
  begin(ids: readonly string[], acknowledged: boolean, how?: { locks: boolean }): void
  confirm(ids: readonly string[]): void
  /** the request failed: show the server's state again */
  drop(ids: readonly string[]): void
  unlockSoon(id: string): void
  /** Stops all timers. */
  close(): void
}

/** Optimistic changes. Calls `onLate` once for each batch that times out. */
export function createPending(onLate: () => void): Pending {
  let view: PendingView = { wanted: new Map(), locked: new Set() }
  const waits = new Map<string, object>()
  const timers = new Set<ReturnType<typeof setTimeout>>()
  const changed = createSignal()

  const set = (change: Partial<PendingView>) => {
    view = { ...view, ...change }
    changed.emit()
  }
  const after = (ms: number, run: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      run()
    }, ms)
    timers.add(timer)
  }
  const forget = (ids: readonly string[]) => {
    const known = ids.filter((id) => waits.delete(id))
    if (known.length === 0) return false
    set({ wanted: new Map([...view.wanted].filter(([id]) => !known.includes(id))) })
    return true
  }

  return {
    view: () => view,
    subscribe: changed.subscribe,
    begin(ids, acknowledged, { locks } = { locks: false }) {
      const own = {}
      for (const id of ids) waits.set(id, own)
      set({
        wanted: new Map([...view.wanted, ...ids.map((id) => [id, acknowledged] as const)]),
        ...(locks && { locked: new Set([...view.locked, ...ids]) }),
      })
      after(confirmMs, () => {
        // a repeated change has its own timeout
        if (forget(ids.filter((id) => waits.get(id) === own))) onLate()
      })
    },
    confirm: (ids) => void forget(ids),
    drop: (ids) => void forget(ids),
    unlockSoon(id) {
      after(lockMs, () => set({ locked: new Set([...view.locked].filter((one) => one !== id)) }))
    },
    close() {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}
