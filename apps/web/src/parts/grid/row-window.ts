import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useLayoutEffect, useState } from 'react'

interface RowWindowOptions<Key extends string> {
  rows: readonly Key[]
  /** px; undefined is measured */
  heightOf: (key: Key) => number | undefined
  /** this row exists wherever the window is */
  keep: number
  bodyRef: RefObject<HTMLElement | null>
  /** px of the table's head, which stays at the top of the window */
  headHeight: number
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
  const { rows, heightOf, keep, bodyRef, headHeight, phone, scale } = options
  const rowHeight = rows[0] === undefined ? undefined : heightOf(rows[0])
  const scrollMargin = useDocumentTop(bodyRef)
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => heightOf(rows[index]!) ?? GUESSED_HEIGHT,
    getItemKey: useCallback((index: number) => rows[index]!, [rows]),
    rangeExtractor: (range) => withKept(defaultRangeExtractor(range), keep, rows.length),
    overscan: 4,
    scrollMargin,
    scrollPaddingStart: COVERED_ABOVE * scale,
    scrollPaddingEnd: COVERED_BELOW * scale,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  })

  useLayoutEffect(() => virtualizer.measure(), [virtualizer, phone, rowHeight])
  const topEdge = (virtualizer.scrollOffset ?? 0) + headHeight

  return {
    /** the row that begins at the top of the window, or is cut off there; -1 while the table begins below it */
    top: topEdge > scrollMargin ? (virtualizer.getVirtualItemForOffset(topEdge)?.index ?? -1) : -1,
    height: virtualizer.getTotalSize(),
    items: virtualizer.getVirtualItems().map(({ index, start }) => ({
      index,
      start: start - scrollMargin,
      measure: heightOf(rows[index]!) === undefined ? virtualizer.measureElement : undefined,
    })),
    scrollTo: (index: number) => virtualizer.scrollToIndex(index, { align: 'auto' }),
  }
}

function withKept(indexes: number[], keep: number, count: number): number[] {
  if (keep < 0 || keep >= count || indexes.includes(keep)) return indexes
  return [...indexes, keep].toSorted((a, b) => a - b)
}

/** Where the element begins in the document; anything above it may grow or shrink at any time. */
function useDocumentTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const update = () => setTop(Math.round(element.current!.getBoundingClientRect().top + window.scrollY))
    // tells the first time too, once the page is laid out: asking earlier would lay it out twice
    const sizes = new ResizeObserver(update)
    sizes.observe(document.body)
    return () => sizes.disconnect()
  }, [element])
  return top
}
