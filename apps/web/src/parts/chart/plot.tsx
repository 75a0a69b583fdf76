import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef, useSyncExternalStore } from 'react'
import uPlot from 'uplot'
import type { Span } from '../../lib/times.ts'
import 'uplot/dist/uPlot.min.css'
import { align, type Aligned } from './aligned.ts'
import type { Crosshair } from './crosshair.ts'
import { plotOptions } from './options.ts'
import { sampleText } from './reading.ts'
import type { ChartData } from './series.ts'
import { drawByTouch } from './touch.ts'
import { drawnSpan, zoomed } from './zoom.ts'

interface PlotProps {
  label: string
  height: number
  data: ChartData
  crosshair: Crosshair
  isZoomed: boolean
  /** undefined: the whole range */
  onZoom: (span: Span | undefined) => void
}

/** Draws the chart. Only `chart.tsx` loads this module. Other lines or another theme create a new plot. */
export function Plot(props: PlotProps) {
  const theme = useSyncExternalStore(onTheme, themeName)
  const shape = props.data.series.map(({ label, tone }) => [label, tone].join()).join(';')
  return <Drawing key={`${theme};${shape}`} {...props} />
}

const none: NonNullable<ChartData['events']> = []

/** Steps of a key, in figures. */
const keySteps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: 10,
  PageDown: -10,
  Home: -Infinity,
  End: Infinity,
}

function Drawing({ label, height, data, crosshair, isZoomed, onZoom }: PlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  // read by the hooks of the plot
  const current = useRef(data)
  const { series, gaps, events = none } = data
  const aligned = useMemo(() => align({ series, gaps, events }), [series, gaps, events])
  const pointed = useSyncExternalStore(crosshair.subscribe, crosshair.get)
  const stops = stopsIn(aligned.stops, data.span)
  const stop = pointed === undefined ? stops.length - 1 : nearestIndex(stops, pointed)
  const at = stops[stop] ?? data.span.to

  // the plot outlives many renders: its events call the newest handler
  const zoom = useEffectEvent((span: Span | undefined) => onZoom(span))
  const draw = useEffectEvent((element: HTMLDivElement, ofHeight: number) => {
    const events = {
      data: () => current.current,
      onCursor: ({ cursor: { idx, left = -1 }, data: [times] }: uPlot) =>
        crosshair.point(idx == null || left < 0 ? undefined : times[idx]),
      onSelect(drawn: uPlot) {
        const { left, width } = drawn.select
        if (width === 0) return
        drawn.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
        zoom(drawnSpan(drawn.posToVal(left, 'x'), drawn.posToVal(left + width, 'x')))
      },
      onDoubleClick: () => zoom(undefined),
    }
    const drawn = new uPlot(plotOptions(element, ofHeight, events), columnsOf(aligned), element)
    const stop = drawByTouch(drawn, (left, right) =>
      zoom(drawnSpan(drawn.posToVal(left, 'x'), drawn.posToVal(right, 'x'))),
    )
    return { drawn, stop }
  })

  useEffect(() => {
    current.current = data
    plot.current?.setData(columnsOf(aligned))
  }, [data, aligned])

  useEffect(() => {
    const element = box.current!
    const { drawn, stop } = draw(element, height)
    plot.current = drawn
    const sizes = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height }))
    sizes.observe(element)
    const unfollow = crosshair.subscribe(() => showCursor(drawn, crosshair.get()))
    return () => {
      unfollow()
      stop()
      sizes.disconnect()
      drawn.destroy()
      plot.current = undefined
    }
  }, [height, crosshair])

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const steps = keySteps[event.key]
    if (steps !== undefined) crosshair.point(stops[Math.min(stops.length - 1, Math.max(0, stop + steps))])
    else if (event.key === '+' || event.key === '=') onZoom(zoomed(data.span, 0.5, at))
    else if (event.key === '-') onZoom(zoomed(data.span, 2, at))
    else if (event.key === 'Escape' && isZoomed) onZoom(undefined)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`${label}: figures over time`}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, stops.length - 1)}
      aria-valuenow={Math.max(0, stop)}
      aria-valuetext={sampleText(data, at)}
      onKeyDown={onKeyDown}
      onBlur={() => crosshair.point(undefined)}
    >
      <div ref={box} style={{ height }} className="overflow-hidden [&_.u-select]:bg-accent/15" />
    </div>
  )
}

/** The figures within the span. Those beyond it are of another range, until its own arrive. */
const stopsIn = (times: readonly number[], { from, to }: Span): number[] =>
  times.filter((time) => from <= time && time <= to)

const nearestIndex = (stops: readonly number[], at: number): number =>
  stops.reduce(
    (best, time, index) => (Math.abs(time - at) < Math.abs((stops[best] ?? Infinity) - at) ? index : best),
    0,
  )

/** Another chart of the view points at this moment. */
function showCursor(drawn: uPlot, at: number | undefined): void {
  const left = at === undefined ? -10 : drawn.valToPos(at, 'x')
  if (Math.abs((drawn.cursor.left ?? -10) - left) < 1) return
  drawn.setCursor({ left, top: at === undefined ? -10 : 0 }, false)
}

const columnsOf = ({ times, columns }: Aligned): uPlot.AlignedData => [times, ...columns]

function onTheme(listener: () => void): () => void {
  const watch = new MutationObserver(listener)
  watch.observe(document.documentElement, { attributeFilter: ['class'] })
  return () => watch.disconnect()
}
const themeName = () => document.documentElement.className
