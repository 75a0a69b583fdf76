import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useState } from 'react'
import { rem, useTextScale } from '../../lib/text-scale.ts'
import { rangeWith } from '../../parts/grid/row-window.ts'

/** A column beside the table, a row of cards above it, or on a phone one line per host. */
export type HostLayout = 'column' | 'row' | 'lines'

/** Px at the default text size; a line is as high as a thumb needs. */
const px: Record<HostLayout, number> = { column: 52, row: 224, lines: 44 }
/** Hosts rendered beyond either edge of the list. */
const OVERSCAN = 4

/** The length of one host along the list. */
export const hostLength: Record<HostLayout, string> = {
  column: rem(px.column),
  row: rem(px.row),
  lines: rem(px.lines),
}

interface HostWindowOptions {
  count: number
  /** the host with the keyboard focus exists wherever the list is scrolled to */
  keep: number
  layout: HostLayout
  /** the element that scrolls */
  boxRef: RefObject<HTMLElement | null>
}

/** Which hosts are near the visible part of the list, and the position of each; lengths are for styles. */
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
    items: virtualizer.getVirtualItems().map(({ index }) => ({ index, start: rem(index * each) })),
    size: hostLength[layout],
    length: rem(count * each),
  }
}
