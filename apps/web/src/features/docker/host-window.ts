import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useState } from 'react'
import { rem, useTextScale } from '../../lib/text-scale.ts'
import { rangeWith } from '../../parts/grid/row-window.ts'

/** A column beside the table, a row of cards above it, or one line per host on phones. */
export type HostLayout = 'column' | 'row' | 'lines'

/** Px at the default text size; a line is a touch target. */
const px: Record<HostLayout, number> = { column: 52, row: 224, lines: 44 }
/** Hosts rendered beyond each edge of the list. */
const OVERSCAN = 4

/** Length of one host along the list's axis. */
export const hostLength: Record<HostLayout, string> = {
  column: rem(px.column),
  row: rem(px.row),
  lines: rem(px.lines),
}

interface HostWindowOptions {
  count: number
  /** index of the focused host, which is rendered at any scroll position */
  keep: number
  layout: HostLayout
  /** the scroll container */
  boxRef: RefObject<HTMLElement | null>
}

/** The hosts near the visible part of the list, with their positions; other lengths are CSS values. */
export function useHostWindow({ count, keep, layout, boxRef }: HostWindowOptions) {
  const each = px[layout]
  const scale = useTextScale()
  const [initialRect] = useState(() => ({ width: window.innerWidth, height: window.innerHeight }))
  const virtualizer = useVirtualizer({
    count,
    estimateSize: () => each * scale,
    horizontal: layout === 'row',
    getScrollElement: () => boxRef.current,
    rangeExtractor: (range) => rangeWith(keep, range),
    overscan: OVERSCAN,
    initialRect,
  })
  return {
    items: virtualizer.getVirtualItems().map(({ index }) => ({
      index,
      start: rem(index * each),
      px: { start: index * each * scale, size: each * scale },
    })),
    size: hostLength[layout],
    length: rem(count * each),
  }
}
