import { type RefObject, useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { useAddress } from '../../ui/router/use-address.ts'
import type { ListRow, RowNames } from './list-selector.ts'
import { createSignal } from '../../lib/signal.ts'

/**
 * Store ids of records with open details. Created outside the page, so that the details stay open across
 * navigation.
 */
export interface Expansion {
  use(): ReadonlySet<string>
  get(): ReadonlySet<string>
  subscribe(listener: () => void): () => void
  toggle(id: string): void
  /** opens a record from the address, without scrolling to it */
  restore(id: string): void
  /** the record opened since the last call */
  takeOpened(): string | undefined
  collapseAll(): void
}

export function createExpansion(): Expansion {
  let open: ReadonlySet<string> = new Set()
  let opened: string | undefined
  const { subscribe, emit } = createSignal()
  const set = (next: ReadonlySet<string>) => {
    open = next
    emit()
  }
  return {
    get: () => open,
    subscribe,
    use: () => useSyncExternalStore(subscribe, () => open),
    toggle(id) {
      const next = new Set(open)
      const isOpen = next.delete(id)
      if (!isOpen) next.add(id)
      opened = isOpen ? undefined : id
      set(next)
    },
    restore: (id) => set(new Set(open).add(id)),
    takeOpened() {
      const taken = opened
      opened = undefined
      return taken
    },
    collapseAll: () => set(new Set()),
  }
}

export type TableRow<Name extends string> = ListRow<Name | 'details' | 'note'>

/** Inserts a row for the note and one for the open details below each record. */
export function withDetails<Name extends string>(
  rows: readonly ListRow<Name>[],
  names: RowNames<Name>,
  open: ReadonlySet<string>,
  noted: ReadonlySet<string>,
): readonly TableRow<Name>[] {
  if (open.size === 0 && noted.size === 0) return rows
  return rows.flatMap((row): TableRow<Name>[] => {
    const [name, id] = parseRow(row)
    if (name !== names.record) return [row]
    return [
      row,
      ...(noted.has(id) ? [`note:${id}` as const] : []),
      ...(open.has(id) ? [`details:${id}` as const] : []),
    ]
  })
}

export function parseRow(row: ListRow): [name: string, id: string] {
  const colon = row.indexOf(':')
  return [row.slice(0, colon), row.slice(colon + 1)]
}

/** Keeps the address short, because proxies limit its length. */
const MOST_IN_ADDRESS = 20

/** Keeps the open records in the address and opens those that it names. */
export function useOpenInAddress(expansion: Expansion | undefined): void {
  const { params, set } = useAddress()
  const fromAddress = params.getAll('open')
  const open = useEffectEvent(({ get, restore }: Expansion) => {
    for (const id of fromAddress) if (!get().has(id)) restore(id)
  })
  useEffect(() => {
    if (!expansion) return
    open(expansion)
    return expansion.subscribe(() => set({ open: [...expansion.get()].slice(0, MOST_IN_ADDRESS) }))
  }, [expansion, set])
}

/** Scrolls newly opened details into view, between the table's head and the page's foot. */
export function useRevealed(expansion: Expansion, table: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let frame = 0
    let stop = () => {}
    const end = () => {
      cancelAnimationFrame(frame)
      stop()
    }
    const unsubscribe = expansion.subscribe(() => {
      const id = expansion.takeOpened()
      if (id === undefined) return
      end()
      // one frame later the table has its new height, and the page has space to scroll
      frame = requestAnimationFrame(() => {
        const details = table.current?.querySelector(`[data-row="details:${CSS.escape(id)}"]`)
        if (details) stop = keepInView(details)
      })
    })
    return () => {
      unsubscribe()
      end()
    }
  }, [expansion, table])
}

/** Details without anything that loads may change a last time within this. */
const settledMs = 10_000
/** charts and panels that load, as they say themselves */
const loading = '[aria-busy=true], [role=status][aria-label]'

/**
 * Also while it grows, because charts and panels load later than their row. What a passing height has moved comes back.
 * Ends when the user goes on.
 */
function keepInView(element: Element): () => void {
  const top = window.scrollY
  const sizes = new ResizeObserver(() => {
    if (window.scrollY !== top) window.scrollTo({ top })
    element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  const ended = new AbortController()
  const stop = () => {
    clearInterval(settling)
    sizes.disconnect()
    ended.abort()
  }
  // over a slow line, or on a busy machine, they load for longer
  const settling = setInterval(() => {
    if (!element.isConnected || !element.querySelector(loading)) stop()
  }, settledMs)
  for (const use of ['wheel', 'pointerdown', 'touchstart', 'keydown'])
    window.addEventListener(use, stop, { capture: true, passive: true, signal: ended.signal })
  sizes.observe(element)
  return stop
}
