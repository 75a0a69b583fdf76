import { type RefCallback, useCallback, useLayoutEffect, useRef, useState } from 'react'

interface RowHeights {
  /** px by row, of those that were there; another map whenever one is another */
  heights: ReadonlyMap<string, number>
  /** for rows that are to be measured: `data-row` says which one it is */
  measure: RefCallback<HTMLElement>
}

/** Of rows that are as high as what is in them. What is in sight stays there when one above it grows or shrinks. */
export function useRowHeights(guess: number): RowHeights {
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map())
  const newest = useRef(heights)
  const grownAbove = useRef(0)
  const sizes = useRef<ResizeObserver>(undefined)

  const note = useCallback(
    (row: HTMLElement) => {
      const key = row.dataset['row']!
      const before = newest.current.get(key)
      const height = row.offsetHeight
      if (height === before) return
      newest.current = new Map(newest.current).set(key, height)
      if (row.getBoundingClientRect().top < 0) grownAbove.current += height - (before ?? guess)
      setHeights(newest.current)
    },
    [guess],
  )

  const measure = useCallback(
    (row: HTMLElement | null) => {
      if (!row) return undefined
      sizes.current ??= new ResizeObserver((entries) => {
        for (const { target } of entries) if (target.isConnected) note(target as HTMLElement)
      })
      const own = sizes.current
      own.observe(row)
      note(row)
      return () => own.unobserve(row)
    },
    [note],
  )

  // once the table is as high as its rows
  useLayoutEffect(() => {
    if (heights !== newest.current) return
    const by = grownAbove.current
    grownAbove.current = 0
    if (by !== 0) window.scrollBy(0, by)
  })

  return { heights, measure }
}
