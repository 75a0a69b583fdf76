import { type RefObject, useEffect } from 'react'
import type { Expansion } from './expansion.ts'

/** What was just opened comes into sight, with its row above it, as far as there is room between head and foot. */
export function useRevealed(expansion: Expansion, table: RefObject<HTMLElement | null>): void {
  useEffect(
    () =>
      expansion.subscribe(() => {
        const id = expansion.takeOpened()
        if (id === undefined) return
        // once the table is as high as its rows: before, the page may have no room to move
        requestAnimationFrame(() =>
          table.current
            ?.querySelector(`[data-row="details:${CSS.escape(id)}"]`)
            ?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
        )
      }),
    [expansion, table],
  )
}
