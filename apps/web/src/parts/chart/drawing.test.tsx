// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { createCrosshair } from './crosshair.ts'
import { type Corner, type Drawn, type Shape, stubCanvas } from './fake-canvas.ts'
import { Plot } from './plot.tsx'
import type { ChartData, ChartPoint, ChartSeries, GapReason } from './series.ts'

const start = Date.UTC(2026, 5, 1, 12)
const at = (second: number) => start + second * 1000
/** px; the axis reaches from 0 to 100, and the span has 60 seconds */
const area = { left: 58, right: 592, top: 8, bottom: 108 }
const x = (second: number) => area.left + (second / 60) * (area.right - area.left)
const y = (value: number) => area.bottom - value

const line = (label: string, ...points: ChartPoint[]): ChartSeries => ({
  label,
  points,
  format: String,
  tone: 'accent',
})
const sample = (second: number, value: number): ChartPoint => ({
  at: at(second),
  value,
  low: value,
  high: value,
})
const ranged = (second: number, value: number): ChartPoint => ({
  at: at(second),
  value,
  low: value - 5,
  high: value + 10,
})
const cpu = line('CPU', sample(0, 10), sample(10, 20), sample(50, 40), sample(60, 30))

const variables = 'accent pale red-fill yellow-fill line line-strong track sunken ink-2 ink-3'.split(' ')
let drawn: Drawn
beforeEach(() => {
  drawn = stubCanvas()
  // each colour is the name of its variable
  for (const name of variables) document.documentElement.style.setProperty(`--${name}`, name)
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  document.documentElement.removeAttribute('style')
})

async function draw(data: Partial<ChartData>): Promise<readonly Shape[]> {
  render(
    <Plot
      label="Load"
      height={132}
      crosshair={createCrosshair()}
      isZoomed={false}
      onZoom={() => {}}
      data={{
        span: { from: at(0), to: at(60) },
        series: [cpu],
        gaps: [],
        axis: { tick: String, least: 100, most: 100 },
        ...data,
      }}
    />,
  )
  await vi.waitFor(() => expect(linesIn('accent')).not.toEqual([]), within(30_000))
  return drawn.shapes
}

const linesIn = (colour: string) =>
  drawn.shapes.filter((shape) => shape.form === 'line' && shape.colour === colour)
const filledIn = (colour: string) =>
  drawn.shapes.filter((shape) => (shape.form === 'box' || shape.form === 'area') && shape.colour === colour)
const corners = (shape: Shape): readonly Corner[] => shape.outlines.flat()
/** The box around a shape, in whole px. */
const around = (shapes: readonly Corner[]) => ({
  left: Math.round(Math.min(...shapes.map(([left]) => left))),
  right: Math.round(Math.max(...shapes.map(([right]) => right))),
  top: Math.round(Math.min(...shapes.map(([, top]) => top))),
  bottom: Math.round(Math.max(...shapes.map(([, bottom]) => bottom))),
})
const boxAt = (from: number, to: number) => ({
  left: Math.round(x(from)),
  right: Math.round(x(to)),
  top: area.top,
  bottom: area.bottom,
})

describe('[M 1.2] a gap', () => {
  const gap = (reason: GapReason) => ({ from: at(15), to: at(45), reason, words: 'No figures' })
  /** What is drawn in the box of a gap, without its words. */
  const patternOf = async (reason: GapReason) => {
    await draw({ gaps: [gap(reason)] })
    const found = drawn.shapes.filter(
      ({ clips, form }) =>
        form !== 'text' && clips.some((clip) => isSame(around(clip.flat()), boxAt(15, 45))),
    )
    return found.map(({ form, colour, dash, outlines }) => ({ form, colour, dash, outlines }))
  }
  const isSame = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b)

  test('is an even area while the thing was stopped', async () => {
    const pattern = await patternOf('stopped')
    expect(pattern).toHaveLength(1)
    expect(pattern[0]).toMatchObject({ form: 'box', colour: 'track' })
    expect(around(pattern[0]!.outlines.flat())).toEqual(boxAt(15, 45))
  })

  test('is hatched while the source was silent', async () => {
    const pattern = await patternOf('silent')
    expect(pattern).toHaveLength(1)
    expect(pattern[0]).toMatchObject({ form: 'line', colour: 'line-strong', dash: [] })
    const strokes = pattern[0]!.outlines
    expect(strokes.length).toBeGreaterThan(30)
    for (const [[left, bottom], [right, top]] of strokes as [Corner, Corner][]) {
      expect([top, bottom]).toEqual([area.top, area.bottom])
      expect(right - left, 'it leans').toBe(bottom - top)
    }
  })

  test('is dotted while Pulse was off', async () => {
    const pattern = await patternOf('off')
    expect(pattern).toHaveLength(1)
    expect(pattern[0]).toMatchObject({ form: 'line', colour: 'line-strong', dash: [1, 4] })
    const strokes = pattern[0]!.outlines
    expect(strokes.length).toBeGreaterThan(10)
    for (const [[left, begin], [right, end]] of strokes as [Corner, Corner][]) {
      expect(begin, 'it is level').toBe(end)
      expect([Math.round(left), Math.round(right)]).toEqual([Math.round(x(15)), Math.round(x(45))])
    }
  })

  test.each<GapReason>(['stopped', 'silent', 'off'])('is no line and never zero: %s', async (reason) => {
    await draw({ gaps: [gap(reason)] })
    const [mean] = linesIn('accent')
    const { bottom } = around(corners(mean!))
    expect(bottom, 'the lowest figure is 10').toBe(y(10))
    // the line may be drawn only before and after it
    const open = mean!.clips.find((clip) => clip.length === 2)!.map((one) => around(one))
    expect(open.map(({ left, right }) => [left, right])).toEqual([
      [area.left, Math.round(x(10))],
      [Math.round(x(50)), area.right],
    ])
  })

  test('has its words above its pattern', async () => {
    await draw({ gaps: [gap('silent')] })
    const words = drawn.shapes.findIndex(({ text }) => text === 'No figures')
    const pattern = drawn.shapes.findIndex(({ colour }) => colour === 'line-strong')
    expect(words).toBeGreaterThan(pattern)
    const [[left, top]] = corners(drawn.shapes[words]!) as [Corner]
    expect([left, top]).toEqual([(x(15) + x(45)) / 2, (area.top + area.bottom) / 2])
  })
})

describe('[M 3.1] the range from lowest to highest', () => {
  const bandColour = 'color-mix(in srgb, accent 22%, transparent)'
  /** The edges of each band: what is filled, and what limits it from below. */
  const bands = () =>
    filledIn(bandColour).map((shape) => {
      const count = linesIn('accent')[0]!.outlines[0]!.length
      const edge = (outline: readonly Corner[]) => outline.slice(0, count).map(([, height]) => height)
      return { high: edge(corners(shape)), low: edge(shape.clips.at(-1)!.flat()) }
    })

  test('is behind the mean where a figure stands for many samples', async () => {
    await draw({ series: [line('CPU', ranged(0, 10), ranged(30, 50), ranged(60, 30))] })
    expect(bands()).toEqual([{ high: [20, 60, 40].map(y), low: [5, 45, 25].map(y) }])
    expect(corners(linesIn('accent')[0]!).map(([, height]) => height)).toEqual([10, 50, 30].map(y))
  })

  test('has no height where each figure is a sample', async () => {
    await draw({ series: [line('CPU', sample(0, 10), sample(30, 50), sample(60, 30))] })
    expect(bands()).toEqual([{ high: [10, 50, 30].map(y), low: [10, 50, 30].map(y) }])
  })

  test('of any line is behind all lines', async () => {
    const own = line('In', ranged(0, 10), ranged(60, 20))
    const other = line('Out', ranged(0, 15), ranged(60, 25))
    await draw({ series: [own, other] })
    const found = filledIn(bandColour)
    expect(found).toHaveLength(2)
    expect(drawn.shapes.indexOf(found[1]!)).toBeLessThan(drawn.shapes.indexOf(linesIn('accent')[0]!))
  })

  test('is left out where lines are compared', async () => {
    await draw({ series: [{ ...line('CPU', ranged(0, 10), ranged(60, 30)), hasBand: false }] })
    expect(bands()).toEqual([])
  })
})

test('[M 3.1] a threshold is a dashed line across at its value, in front of the figures', async () => {
  await draw({ limits: [{ label: 'Warning at 80%', value: 80 }] })
  const [limit, ...others] = linesIn('red-fill')
  expect(others).toEqual([])
  expect(corners(limit!)).toEqual([
    [area.left, y(80)],
    [area.right, y(80)],
  ])
  expect(limit!.dash).toEqual([4, 3])
  expect(drawn.shapes.indexOf(limit!)).toBeGreaterThan(drawn.shapes.indexOf(linesIn('accent')[0]!))
})

test('[M 3.1] a threshold above the axis is not drawn at its top', async () => {
  await draw({ limits: [{ label: 'Warning at 120%', value: 120 }] })
  expect(linesIn('red-fill')).toEqual([])
})

test('[M 3.1] an alert is a mark at its time, in the colour of its level', async () => {
  await draw({
    marks: [
      { at: at(20), text: 'CPU is high', tone: 'red' },
      { at: at(40), text: 'CPU is raised', tone: 'yellow' },
      { at: at(-10), text: 'before the span', tone: 'red' },
    ],
  })
  for (const [tone, second] of [
    ['red-fill', 20],
    ['yellow-fill', 40],
  ] as const) {
    const [own, ...others] = linesIn(tone)
    expect(others).toEqual([])
    const place = Math.round(x(second))
    expect(corners(own!)).toEqual([
      [place, area.top],
      [place, area.bottom],
    ])
    expect(own!.dash).toEqual([])
    const [head] = filledIn(tone)
    expect(around(corners(head!))).toMatchObject({ left: place - 5, right: place + 5, top: area.top })
  }
})

describe('[M 3.1] an event', () => {
  const event = (from: number, to: number) =>
    ({ id: `${from}`, text: 'Backup', symbol: 'backup', from: at(from), to: at(to) }) as const

  test('with a duration is a band from its start to its end, behind the figures', async () => {
    await draw({ events: [event(20, 35)] })
    const [band, ...others] = filledIn('pale')
    expect(others).toEqual([])
    expect(around(corners(band!))).toEqual(boxAt(20, 35))
    expect(drawn.shapes.indexOf(band!)).toBeLessThan(drawn.shapes.indexOf(linesIn('accent')[0]!))
  })

  test('that began before the span is a band without a mark', async () => {
    await draw({ events: [event(-20, 35)] })
    expect(around(corners(filledIn('pale')[0]!))).toEqual(boxAt(0, 35))
    expect(filledIn('ink-2')).toEqual([])
  })

  test.each([
    { length: 'without duration', to: 20, bands: 0 },
    { length: 'with a duration', to: 35, bands: 1 },
  ])('$length has a mark at its start', async ({ to, bands }) => {
    await draw({ events: [event(20, to)] })
    expect(filledIn('pale')).toHaveLength(bands)
    const place = Math.round(x(20))
    const stem = linesIn('ink-3').find(({ dash }) => dash.length > 0)
    expect(stem!.dash).toEqual([1, 3])
    expect(around(corners(stem!))).toMatchObject({ left: place, right: place, top: area.top })
    const { left, right, bottom } = around(corners(filledIn('ink-2')[0]!))
    expect((left + right) / 2).toBe(place)
    expect(bottom).toBeLessThanOrEqual(area.bottom)
  })
})
