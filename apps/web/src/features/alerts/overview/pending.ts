import { createSignal } from '../../../lib/signal.ts'

/** Until when the server must have said that a change is made. */
export const confirmMs = 15_000
/** The button rests for so long after its answer has come. */
export const lockMs = 1_500

export interface PendingView {
  /** what was asked for and is not confirmed, by alert */
  wanted: ReadonlyMap<string, boolean>
  /** those whose button rests */
  locked: ReadonlySet<string>
}

export interface Pending {
  view(): PendingView
  subscribe(listener: () => void): () => void
  begin(ids: readonly string[], acknowledged: boolean, how?: { locks: boolean }): void
  confirm(ids: readonly string[]): void
  /** it failed: what the server says counts again */
  drop(ids: readonly string[]): void
  unlockSoon(id: string): void
  /** Nothing is waited for any more. */
  close(): void
}

/** Changes that are shown before the server has confirmed them; `onLate` is called once with all that timed out. */
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
        // a change that was repeated meanwhile has a timeout of its own
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
