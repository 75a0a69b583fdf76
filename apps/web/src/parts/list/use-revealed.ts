import { type RefObject, useEffect } from 'react'
import type { Expansion } from './expansion.ts'

/** What was just opened comes into sight, with its row above it, as far as there is room between head and foot. */
export function useRevealed(
  expansion: Expansion,
  open: ReadonlySet<string>,
  table: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    const id = expansion.takeOpened()
    if (id === undefined) return undefined
    // once the table is as high as its rows: before, the page may have no room to move
    const frame = requestAnimationFrame(() =>
      table.current
        ?.querySelector(`[data-row="details:${CSS.escape(id)}"]`)
        ?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    )
    return () => cancelAnimationFrame(frame)
  }, [expansion, open, table])
}
