import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { formatAxisTime } from '../../lib/format.ts'
import { axisWidth, plotOptions } from './options.ts'
import { type ChartData, sampleText, toneVariable } from './series.ts'

interface PlotProps extends ChartData {
  label: string
  height: number
}

interface Pointed {
  index: number
  left: number
  width: number
}

/** Draws the chart. Only `chart.tsx` loads this module. Other series or another theme create a new plot. */
export function Plot(props: PlotProps) {
  const theme = useSyncExternalStore(onTheme, themeName)
  const shape = props.series.map(({ label, tone, max }) => [label, tone, max].join()).join(';')
  return <Drawing key={`${theme};${shape}`} {...props} />
}

function Drawing({ label, height, ...data }: PlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const [pointed, setPointed] = useState<Pointed>()
  const last = data.times.length - 1
  const index = Math.min(pointed?.index ?? last, last)

  const draw = useEffectEvent((element: HTMLDivElement, ofHeight: number) => {
    const onCursor = ({ cursor: { idx, left = -1 } }: uPlot) =>
      setPointed(idx == null || left < 0 ? undefined : { index: idx, left, width: element.clientWidth })
    return new uPlot(plotOptions(element, data.series, ofHeight, onCursor), alignedData(data), element)
  })

  useEffect(() => {
    const element = box.current!
    const drawn = draw(element, height)
    plot.current = drawn
    const sizes = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height }))
    sizes.observe(element)
    return () => {
      sizes.disconnect()
      drawn.destroy()
      plot.current = undefined
    }
  }, [height])

  const { times, series } = data
  useEffect(() => plot.current?.setData(alignedData({ times, series })), [times, series])

  const pointAt = (to: number | undefined) => {
    const { current } = plot
    if (!current) return
    const left = to === undefined ? -10 : current.valToPos(times[to]!, 'x')
    current.setCursor({ left, top: to === undefined ? -10 : 0 })
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const to = nextIndex(event.key, index, last)
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    pointAt(to)
  }

  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`${label}: figures over time`}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={index}
      aria-valuetext={sampleText(data, index)}
      className="relative"
      onKeyDown={onKeyDown}
      onBlur={() => pointAt(undefined)}
    >
      <div ref={box} style={{ height }} className="overflow-hidden" />
      {pointed && <Figures {...data} {...pointed} index={index} />}
    </div>
  )
}

/** Placed on the side of the pointer with more room. */
function Figures({ times, series, index, left, width }: ChartData & Pointed) {
  const beside =
    left + axisWidth > width / 2 ? { right: width - left - axisWidth + 10 } : { left: left + axisWidth + 10 }
  return (
    <div
      aria-hidden
      style={beside}
      className="pointer-events-none absolute top-1 z-10 rounded-md border border-line bg-raised px-2 py-1 whitespace-nowrap text-ink tabular-nums shadow-raised"
    >
      <div className="text-ink-3">{formatAxisTime(times[index]!, 0)}</div>
      {series.map(({ label, values, format, tone }) => (
        <div key={label} className="flex items-center gap-1.5">
          <span className="size-2 rounded-full" style={{ background: `var(${toneVariable[tone]})` }} />
          {label} <span className="ml-auto pl-2">{format(values[index])}</span>
        </div>
      ))}
    </div>
  )
}

function nextIndex(key: string, index: number, last: number): number | undefined {
  if (key === 'ArrowLeft') return Math.max(0, index - 1)
  if (key === 'ArrowRight') return Math.min(last, index + 1)
  if (key === 'Home') return 0
  return key === 'End' ? last : undefined
}

const alignedData = ({ times, series }: ChartData): uPlot.AlignedData => [
  [...times],
  ...series.map(({ values }) => values.map((value) => value ?? null)),
]

function onTheme(listener: () => void): () => void {
  const watch = new MutationObserver(listener)
  watch.observe(document.documentElement, { attributeFilter: ['class'] })
  return () => watch.disconnect()
}
const themeName = () => document.documentElement.className
