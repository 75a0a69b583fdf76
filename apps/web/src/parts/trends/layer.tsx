import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { Queries } from '../../api/queries.tsx'
import { useTextScale } from '../../lib/text-scale.ts'
import type { PlacedRow } from '../grid/grid.tsx'
import { createPainter, type Painter } from './painter.ts'
import { headCells, placesOf } from './places.ts'
import { trendFields, type TrendTable } from './trend-table.ts'
import { TrendsFailed } from './trends-failed.tsx'
import { useTrendLines } from './use-trend-lines.ts'
import './trends.css'

interface LayerProps extends TrendTable {
  /** near the window, from top to bottom */
  rows: readonly PlacedRow[]
}

/** The canvas behind the rows of a table. When its data arrive, only this part renders. */
export function Layer(props: LayerProps) {
  return (
    <Queries>
      <Canvas {...props} />
    </Queries>
  )
}

function Canvas({ sources, columns, phone, rows }: LayerProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const painter = useRef<Painter>(undefined)
  const scale = useTextScale()
  const fields = useMemo(() => trendFields({ sources, columns, phone }), [sources, columns, phone])
  const { lineOf, failure } = useTrendLines(sources, fields)

  useLayoutEffect(() => {
    const own = createPainter(canvas.current!)
    painter.current = own
    const themes = new MutationObserver(own.refresh)
    themes.observe(document.documentElement, { attributeFilter: ['class'] })
    return () => {
      themes.disconnect()
      own.stop()
    }
  }, [])

  useLayoutEffect(() => painter.current!.show({ rows, lineOf, phone }))

  useEffect(() => {
    const body = canvas.current!.parentElement!
    const table = body.closest('[role=grid], [role=treegrid], [data-underlaid]')!
    // The observer reports after the layout. An earlier read would force one.
    const sizes = new ResizeObserver(() =>
      painter.current!.place(placesOf({ table, body, columns, phone, fields, scale })),
    )
    for (const one of [body, ...headCells(table)]) sizes.observe(one)
    return () => sizes.disconnect()
  }, [columns, phone, fields, scale])

  return (
    <div aria-hidden className="trends">
      <canvas ref={canvas} />
      {failure !== undefined && <TrendsFailed reason={failure} />}
    </div>
  )
}
