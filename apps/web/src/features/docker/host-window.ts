import { type UIEvent, useState } from 'react'
import { rem, useTextScale } from '../../lib/text-scale.ts'
import { around } from '../../parts/grid/row-places.ts'
import { useWindowView } from '../../parts/grid/window-view.ts'

/** One below the other beside the table, one beside the other above it, or one below the other in a line each. */
export type HostLayout = 'column' | 'row' | 'lines'

/** Px of usual letters; a line is as high as a thumb needs. */
const px: Record<HostLayout, number> = { column: 52, row: 224, lines: 44 }
/** One beside the other they stand in windows of less than 80rem. */
const MOST_BESIDE = Math.ceil(1280 / px.row)

/** What each host takes of the list, along it. */
export const hostLength: Record<HostLayout, string> = {
  column: rem(px.column),
  row: rem(px.row),
  lines: rem(px.lines),
}

interface HostWindowOptions {
  count: number
  /** this one exists wherever the list is */
  keep: number
  layout: HostLayout
}

/** Which hosts of the list are near what is in sight of it, and where each one stands; lengths are for styles. */
export function useHostWindow({ count, keep, layout }: HostWindowOptions) {
  const upright = layout !== 'row'
  const each = px[layout]
  const scale = useTextScale()
  const [scrolled, setScrolled] = useState(0)
  // the list is never higher than the window
  const most = useWindowView(({ height }) => (upright ? Math.ceil(height / (each * scale)) : MOST_BESIDE))
  const first = Math.min(scrolled, Math.max(0, count - 1))
  return {
    items: around(first, first + most, keep, count).map((index) => ({ index, start: rem(index * each) })),
    size: hostLength[layout],
    length: rem(count * each),
    onScroll({ currentTarget: { scrollTop, scrollLeft } }: UIEvent<HTMLElement>) {
      const from = upright ? scrollTop : scrollLeft
      setScrolled(Math.max(0, Math.floor(from / (each * scale))))
    },
  }
}
