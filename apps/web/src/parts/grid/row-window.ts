import {
  defaultRangeExtractor,
  type Range,
  useWindowVirtualizer,
  windowScroll,
} from '@tanstack/react-virtual'
import { type RefObject, useCallback, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'

interface RowWindowOptions<Key extends string> {
  rows: readonly Key[]
  /** px; undefined is measured */
  heightOf: (key: Key) => number | undefined
  /** the row with the keyboard focus exists even outside the window; -1 while no row has it */
  keep: number
  bodyRef: RefObject<HTMLElement | null>
  /** px of the table's head, which stays at the top of the window */
  headHeight: number
  /** px at the top of the window that something else covers */
  covered: number
  /** the table usually begins in the lower half of the window */
  lower: boolean
  phone: boolean
  /** the browser's text size, relative to 16 px */
  scale: number
}

const ESTIMATED_HEIGHT = 160
/** Rows rendered beyond each edge of the window. */
const OVERSCAN = 4
/** Px that the sticky head with a pinned row, and a legend at the bottom of the window, may cover. */
const COVERED_ABOVE = 72
const COVERED_BELOW = 40

/** The rows near the window and the position of each. The page scrolls instead of the table. */
export function useRowWindow<Key extends string>(options: RowWindowOptions<Key>) {
  const { rows, heightOf, keep, bodyRef, headHeight, covered, lower, phone, scale } = options
  // in a grouped table the first row is a group head and the last one a record
  const [height, lastHeight] = [rows[0], rows.at(-1)].map((row) => row && heightOf(row))
  // read once before the first render, because a later read of the window forces a layout
  const [initial] = useState(() => ({
    top: window.scrollY,
    rect: { width: window.innerWidth, height: window.innerHeight },
  }))
  const hasWritten = useRef(false)
  const tableTop = useDocumentTop(bodyRef)
  // Until its position is known, a table low on the page assumes half a window and renders fewer rows.
  const scrollMargin = tableTop ?? (lower ? initial.rect.height / 2 : 0)

  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count: rows.length,
    estimateSize: (index) => heightOf(rows[index]!) ?? ESTIMATED_HEIGHT,
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new function makes the virtualizer ask for all heights again, without forgetting the measured ones
    getItemKey: useCallback((index: number) => rows[index]!, [rows, phone, scale, height, lastHeight]),
    rangeExtractor: (range) => rangeWith(keep, range),
    overscan: OVERSCAN,
    scrollMargin,
    scrollPaddingStart: COVERED_ABOVE * scale + covered,
    scrollPaddingEnd: COVERED_BELOW * scale,
    initialRect: initial.rect,
    initialOffset: initial.top,
    scrollToFn: (offset, options, instance) => {
      // The virtualizer begins with writing the position that the window already has, which forces a layout.
      const isThere = !hasWritten.current && offset === initial.top
      hasWritten.current = true
      if (!isThere) windowScroll(offset, options, instance)
    },
  })
  // rows in view stay in place when the height of a row above them changes
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = ({ start }) =>
    start < (virtualizer.scrollOffset ?? 0)

  const items = virtualizer.getVirtualItems()
  // The virtualizer renders again when rows enter or leave the window, but not for each row that reaches the
  // table's head.
  const top = useSyncExternalStore(onWindowScroll, () => {
    const edge = (virtualizer.scrollOffset ?? 0) + covered + headHeight
    if (tableTop === undefined || edge <= tableTop) return -1
    return virtualizer.getVirtualItemForOffset(edge)?.index ?? -1
  })

  return {
    /** the row just below the table's head while the head sticks to the window's top; -1 before that */
    top,
    height: virtualizer.getTotalSize(),
    items: items.map(({ index, start }) => ({
      index,
      start: start - scrollMargin,
      measure: heightOf(rows[index]!) === undefined ? virtualizer.measureElement : undefined,
    })),
    scrollTo: (index: number) => virtualizer.scrollToIndex(index),
  }
}

/** The rows of the range, and one additional row that always exists. */
export function rangeWith(keep: number, range: Range): number[] {
  const indexes = defaultRangeExtractor(range)
  if (keep < 0 || keep >= range.count || indexes.includes(keep)) return indexes
  return [...indexes, keep].toSorted((a, b) => a - b)
}

function onWindowScroll(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true })
  return () => window.removeEventListener('scroll', listener)
}

/** The element's top in the document, which changes with the content above it. */
function useDocumentTop(element: RefObject<HTMLElement | null>): number | undefined {
  const [top, setTop] = useState<number>()
  useLayoutEffect(() => {
    const update = () => setTop(Math.round(element.current!.getBoundingClientRect().top + window.scrollY))
    // The observer reports the first size after the page's layout. An earlier read would force another one.
    const sizes = new ResizeObserver(update)
    sizes.observe(document.body)
    // the body's size stays the same when the table takes the space that content above it frees
    sizes.observe(element.current!)
    return () => sizes.disconnect()
  }, [element])
  return top
}
