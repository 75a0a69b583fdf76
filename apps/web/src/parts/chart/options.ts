import type uPlot from 'uplot'
import { type Column, isolated } from './aligned.ts'
import { drawBelow, drawAbove } from './overlays.ts'
import { type ChartAxis, type ChartData, type ChartLimit, dashOf, toneVariable } from './series.ts'
import { timeTicks } from './time-ticks.ts'

/** Width of the left axis, in px. */
const axisWidth = 58
const paddingRight = 8

interface PlotEvents {
  /** the data that is drawn */
  data: () => ChartData
  onCursor: (plot: uPlot) => void
  onSelect: (plot: uPlot) => void
  onDoubleClick: () => void
}

/** Axes, lines and cursor in the theme's colours and the element's font. */
export function plotOptions(
  box: HTMLElement,
  height: number,
  { data, onCursor, onSelect, onDoubleClick }: PlotEvents,
): uPlot.Options {
  const theme = getComputedStyle(document.documentElement)
  const colour = (variable: string) => theme.getPropertyValue(variable).trim()
  const { series, axis } = data()
  const family = getComputedStyle(box).fontFamily
  const font = `11px ${family}`
  const lines = { stroke: colour('--line'), width: 1 }
  const hidden = { scale: 'y', width: 0, points: { show: false } }
  const paint = { colour, family }

  return {
    width: box.clientWidth,
    height,
    ms: 1,
    padding: [8, paddingRight, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false, dist: 6 },
      points: { size: 6 },
      bind: {
        dblclick: () => () => {
          onDoubleClick()
          return null
        },
      },
    },
    hooks: {
      setCursor: [onCursor],
      setSelect: [onSelect],
      drawClear: [(plot) => drawBelow(plot, data(), paint)],
      draw: [(plot) => drawAbove(plot, data(), paint)],
    },
    scales: {
      x: { range: () => [data().span.from, data().span.to] },
      y: { range: (_, __, highest) => [0, topOf(axis, data().limits, highest)] },
    },
    axes: [
      {
        stroke: colour('--ink-3'),
        font,
        space: 84,
        size: 24,
        gap: 4,
        grid: { show: false },
        ticks: { ...lines, size: 4 },
        values: (plot, splits) => {
          const { span } = data()
          const roomAfter = (time: number) =>
            plot.bbox.width / devicePixelRatio - plot.valToPos(time, 'x') + paddingRight
          return timeTicks(splits, span.to - span.from, roomAfter)
        },
      },
      {
        scale: 'y',
        stroke: colour('--ink-3'),
        font,
        space: 28,
        size: axisWidth,
        gap: 4,
        grid: lines,
        ticks: { show: false },
        ...(axis.isBinary && { incrs: binarySteps }),
        ...(axis.isTime && { incrs: timeSteps }),
        values: (_, splits) => splits.map((value) => axis.tick(value)),
      },
    ],
    series: [
      {},
      // in the order of the columns
      ...series.flatMap(() => [hidden, hidden]),
      ...series.map((one, index): uPlot.Series => ({
        label: one.label,
        scale: 'y',
        stroke: colour(toneVariable[one.tone]),
        width: 1.5,
        dash: [...(dashOf(one, index) ?? [])],
        spanGaps: false,
        points: {
          show: false,
          size: 4,
          fill: colour(toneVariable[one.tone]),
          filter: (plot, at) => onlyIsolated(plot.data[at] as Column),
        },
      })),
    ],
    bands: series.flatMap(({ tone, hasBand }, index): uPlot.Band[] => {
      if (hasBand === false) return []
      const fill = `color-mix(in srgb, ${colour(toneVariable[tone])} 22%, transparent)`
      return [{ series: [2 * index + 2, 2 * index + 1], fill }]
    }),
  }
}

const onlyIsolated = (column: Column): number[] | null => {
  const found = isolated(column)
  return found.length > 0 ? found : null
}

/** Slightly above the highest figure. A limit is in view once the figures are halfway to it. */
export function topOf(
  { least, most = Infinity }: ChartAxis,
  limits: readonly ChartLimit[] | undefined,
  highest: number | null,
): number {
  const high = highest !== null && Number.isFinite(highest) ? highest : 0
  const near = (limits ?? []).filter(({ value }) => high > value / 2).map(({ value }) => value * 1.05)
  return Math.min(most, Math.max(least, high * 1.1, ...near))
}

/** Multiples of 1,024, halved down to a 512th. */
const binarySteps = [0, 1, 2, 3, 4, 5].flatMap((power) =>
  [1, 2, 4, 8, 16, 32, 64, 128, 256, 512].map((step) => step * 1024 ** power),
)

const minutes = [1, 2, 5, 10, 15, 30].map((step) => step * 60)
const hours = [1, 2, 3, 6, 12].map((step) => step * 3_600)
const days = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000].map((step) => step * 86_400)
const timeSteps = [1, 2, 5, 10, 15, 30, ...minutes, ...hours, ...days]
