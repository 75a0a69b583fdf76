import { type UIEvent, useState } from 'react'
import { rem, useTextScale } from '../../lib/text-scale.ts'
import { around } from '../../parts/grid/row-places.ts'
import { useWindowView } from '../../parts/grid/window-view.ts'

/** Px of usual letters. */
const HIGH = 52
const WIDE = 224
/** One beside the other they stand in windows of less than 80rem. */
const MOST_BESIDE = Math.ceil(1280 / WIDE)

export const ITEM_HEIGHT = rem(HIGH)

interface HostWindowOptions {
  count: number
  /** this one exists wherever the list is */
  keep: number
  upright: boolean
}

/** Which hosts of the list are near what is in sight of it, and where each one stands; lengths are for styles. */
export function useHostWindow({ count, keep, upright }: HostWindowOptions) {
  const px = upright ? HIGH : WIDE
  const scale = useTextScale()
  const [scrolled, setScrolled] = useState(0)
  // the list is never higher than the window
  const most = useWindowView(({ height }) => (upright ? Math.ceil(height / (px * scale)) : MOST_BESIDE))
  const first = Math.min(scrolled, Math.max(0, count - 1))
  return {
    items: around(first, first + most, keep, count).map((index) => ({ index, start: rem(index * px) })),
    size: rem(px),
    length: rem(count * px),
    onScroll({ currentTarget: { scrollTop, scrollLeft } }: UIEvent<HTMLElement>) {
      const from = upright ? scrollTop : scrollLeft
      setScrolled(Math.max(0, Math.floor(from / (px * scale))))
    },
  }
}
