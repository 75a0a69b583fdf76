import { type RefObject, useLayoutEffect, useState } from 'react'
import { useRowHeights } from './row-heights.ts'
import { around, createPlacing, rowAt, wayTo } from './row-places.ts'
import { useWindowView } from './window-view.ts'

interface RowWindowOptions<Key extends string> {
  rows: readonly Key[]
  /** px; undefined is measured */
  heightOf: (key: Key) => number | undefined
  /** this row exists wherever the window is */
  keep: number
  bodyRef: RefObject<HTMLElement | null>
  /** px of the table's head, which stays at the top of the window */
  headHeight: number
  /** the table begins in the lower half of the window, as a rule */
  lower: boolean
  phone: boolean
  /** of letters */
  scale: number
}

const GUESSED_HEIGHT = 160
/** What the sticky head with a pinned row below it, and a legend at the window's other edge, may cover. */
const COVERED_ABOVE = 72
const COVERED_BELOW = 40

/** Which rows are near the window, and where each one stands. */
export function useRowWindow<Key extends string>(options: RowWindowOptions<Key>) {
  const { rows, heightOf, keep, bodyRef, headHeight, lower, phone, scale } = options
  // where there are groups the first row is a head, and the last one is not
  const [height, lineHeight] = [rows[0], rows.at(-1)].map((row) => row && heightOf(row))
  const { heights, measure } = useRowHeights(GUESSED_HEIGHT)
  const [place] = useState(createPlacing)
  const starts = place(
    rows.length,
    (at) => heightOf(rows[at]!) ?? heights.get(rows[at]!) ?? GUESSED_HEIGHT,
    // while these are the same, so are the heights
    [rows, heights, phone, scale, height, lineHeight],
  )
  const tableTop = useDocumentTop(bodyRef)

  // Where the table begins is known once it was drawn: until then no row is made that goes at once.
  const seen = useWindowView(({ top, height }) => {
    const from = top - (tableTop ?? (lower ? height / 2 : 0))
    const edge = from + headHeight
    const cut = tableTop !== undefined && edge > 0 ? rowAt(starts, edge) : -1
    return `${rowAt(starts, from)} ${rowAt(starts, from + height)} ${cut}`
  })
  const [first, last, cut] = seen.split(' ').map(Number) as [number, number, number]

  return {
    /** the row that begins at the top of the window, or is cut off there; -1 while the table begins below it */
    top: cut,
    height: starts.at(-1)!,
    items: around(first, last, keep, rows.length).map((index) => ({
      index,
      start: starts[index]!,
      measure: heightOf(rows[index]!) === undefined ? measure : undefined,
    })),
    scrollTo(index: number) {
      const from = window.scrollY - (tableTop ?? 0)
      const to = from + window.innerHeight
      const way = wayTo(starts, index, from + COVERED_ABOVE * scale, to - COVERED_BELOW * scale)
      if (way !== 0) window.scrollTo({ top: window.scrollY + way })
    },
  }
}

/** Where the element begins in the document; anything above it may grow or shrink at any time. */
function useDocumentTop(element: RefObject<HTMLElement | null>): number | undefined {
  const [top, setTop] = useState<number>()
  useLayoutEffect(() => {
    const update = () => setTop(Math.round(element.current!.getBoundingClientRect().top + window.scrollY))
    // tells the first time too, once the page is laid out: asking earlier would lay it out twice
    const sizes = new ResizeObserver(update)
    sizes.observe(document.body)
    // a page that fits into the window stays as high when something in it gives way to the table
    sizes.observe(element.current!)
    return () => sizes.disconnect()
  }, [element])
  return top
}
