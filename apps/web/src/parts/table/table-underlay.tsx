import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { isEqual } from '@pulse/domain'
import type { PlacedRow } from '../grid/grid.tsx'

interface TableUnderlayProps {
  draw: (rows: readonly PlacedRow[]) => ReactNode
  /** of the rows, in their order */
  keys: readonly string[]
  /** its rows have no background of their own */
  children: ReactNode
}

const none: readonly PlacedRow[] = []

/** Draws behind the rows of a table whose layout only the browser knows. */
export function TableUnderlay({ draw, keys, children }: TableUnderlayProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [rows, setRows] = useState(none)
  const order = keys.join('\0')

  useLayoutEffect(() => {
    const table = frame.current!.querySelector('table')!
    // The observer reports after the layout. An earlier read would force one.
    const sizes = new ResizeObserver(() => {
      const found = placedRows(table, order.split('\0'))
      setRows((before) => (isEqual(before, found) ? before : found))
    })
    sizes.observe(table)
    return () => sizes.disconnect()
  }, [order])

  return (
    <div ref={frame} data-underlaid className="relative isolate">
      {draw(rows)}
      {children}
    </div>
  )
}

const placedRows = (table: HTMLTableElement, keys: readonly string[]): PlacedRow[] =>
  [...table.tBodies[0]!.querySelectorAll<HTMLElement>('tr[data-record]')].map(
    ({ offsetTop, offsetHeight }, index) => ({
      key: keys[index] ?? '',
      index,
      top: offsetTop,
      height: offsetHeight,
    }),
  )
