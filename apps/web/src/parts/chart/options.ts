import type uPlot from 'uplot'
import { formatAxisTime } from '../../lib/format.ts'
import { type ChartSeries, dashOf, toneVariable } from './series.ts'

/** Width of the left axis, in px. */
export const axisWidth = 56

/** Axes, lines and cursor in the theme's colours and the element's font. */
export function plotOptions(
  box: HTMLElement,
  series: readonly ChartSeries[],
  height: number,
  onCursor: (plot: uPlot) => void,
): uPlot.Options {
  const theme = getComputedStyle(document.documentElement)
  const colour = (variable: string) => theme.getPropertyValue(variable).trim()
  const ink = colour('--ink-3')
  const font = `11px ${getComputedStyle(box).fontFamily}`
  const lines = { stroke: colour('--line'), width: 1 }
  const formats = [...new Set(series.map(({ format }) => format))]
  const scaleOf = (one: ChartSeries) => `y${formats.indexOf(one.format)}`

  return {
    width: box.clientWidth,
    height,
    ms: 1,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false, setScale: false }, points: { size: 7 } },
    hooks: { setCursor: [onCursor] },
    scales: Object.fromEntries(
      formats.map((format, index) => [
        `y${index}`,
        { range: rangeOf(series.filter((one) => one.format === format)) },
      ]),
    ),
    axes: [
      {
        stroke: ink,
        font,
        space: 84,
        size: 24,
        gap: 4,
        grid: { show: false },
        ticks: { ...lines, size: 4 },
        values: ({ scales }, splits) => {
          const span = (scales['x']?.max ?? 0) - (scales['x']?.min ?? 0)
          return splits.map((time) => formatAxisTime(time, span))
        },
      },
      ...formats.map((format, index) => ({
        scale: `y${index}`,
        side: index === 0 ? 3 : 1,
        stroke: ink,
        font,
        space: 28,
        size: axisWidth,
        gap: 4,
        grid: { ...lines, show: index === 0 },
        ticks: { show: false },
        values: (_: uPlot, splits: number[]) => splits.map((value) => format(value)),
      })),
    ],
    series: [
      {},
      ...series.map((one, index) => ({
        label: one.label,
        scale: scaleOf(one),
        stroke: colour(toneVariable[one.tone]),
        width: 1.5,
        ...(dashOf(index) && { dash: dashOf(index)! }),
        spanGaps: false,
        points: { show: false },
      })),
    ],
  }
}

/** From zero or the lowest value to the given maximum, or slightly above the highest value. */
function rangeOf(
  series: readonly ChartSeries[],
): (plot: uPlot, min: number, max: number) => [number, number] {
  const tops = series.map(({ max }) => max)
  const top = tops.every((one) => one !== undefined) ? Math.max(...tops) : undefined
  return (_, min, max) => [Math.min(0, min ?? 0), top ?? ((max ?? 0) * 1.1 || 1)]
}
