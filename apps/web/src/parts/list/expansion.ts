import { type RefObject, useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { useAddress } from '../../ui/router/use-address.ts'
import type { ListRow, RowNames } from './list-selector.ts'

/** Records whose details are open, by store id; a page makes one outside of itself, so that they stay open while it is left. */
export interface Expansion {
  use(): ReadonlySet<string>
  get(): ReadonlySet<string>
  subscribe(listener: () => void): () => void
  toggle(id: string): void
  /** as an address has it: nobody has just asked for it */
  restore(id: string): void
  /** what was opened since the last time that this was asked */
  takeOpened(): string | undefined
  collapseAll(): void
}

export function createExpansion(): Expansion {
  let open: ReadonlySet<string> = new Set()
  let opened: string | undefined
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const set = (next: ReadonlySet<string>) => {
    open = next
    for (const listener of listeners) listener()
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

/** Below a record a row for what there is to note about it, and below each open one a row for its details. */
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

/** The address stays short enough for proxies with a limit. */
const MOST_IN_ADDRESS = 20

/** Opened records are part of the address, which opens them when the page is visited. */
export function useOpenInAddress(expansion: Expansion | undefined): void {
  const { params, set } = useAddress()
  const named = params.getAll('open')
  const open = useEffectEvent(({ get, restore }: Expansion) => {
    for (const id of named) if (!get().has(id)) restore(id)
  })
  useEffect(() => {
    if (!expansion) return
    open(expansion)
    return expansion.subscribe(() => set({ open: [...expansion.get()].slice(0, MOST_IN_ADDRESS) }))
  }, [expansion, set])
}

/** Scrolls details that the user has just opened into view, between the table's head and the page's foot. */
export function useRevealed(expansion: Expansion, table: RefObject<HTMLElement | null>): void {
  useEffect(
    () =>
      expansion.subscribe(() => {
        const id = expansion.takeOpened()
        if (id === undefined) return
        // a frame later the table has its new height, and the page has room to scroll
        requestAnimationFrame(() =>
          table.current
            ?.querySelector(`[data-row="details:${CSS.escape(id)}"]`)
            ?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
        )
      }),
    [expansion, table],
  )
}
