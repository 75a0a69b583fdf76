// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Span } from '../../lib/times.ts'
import { within } from '../../../../../scripts/test-limits.ts'
import { formatPercent } from '../../lib/format.ts'
import { Chart } from './chart.tsx'
import { createCrosshair } from './crosshair.ts'
import { type Drawn, stubCanvas } from './fake-canvas.ts'
import { topOf } from './options.ts'
import { type ChartData, type ChartSeries, chartSummary } from './series.ts'

const at = (second: number) => Date.UTC(2026, 5, 1, 12, 0, second)
const percent = (value: number | undefined) => formatPercent(value, 'en')
const line = (label: string, ...figures: (readonly [second: number, value: number])[]): ChartSeries => ({
  label,
  points: figures.map(([second, value]) => ({ at: at(second), value, low: value, high: value })),
  format: percent,
  tone: 'accent',
})
const cpu = line('CPU', [0, 10], [20, 30], [30, 20])
const silent = { from: at(1), to: at(20), reason: 'silent', words: 'Not answering' } as const
const load: ChartData = {
  span: { from: at(0), to: at(60) },
  series: [cpu],
  gaps: [silent],
  axis: { tick: String, least: 10, most: 100 },
}

let drawn: Drawn
beforeEach(() => {
  drawn = stubCanvas()
  document.documentElement.style.setProperty('--accent', 'blue')
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  document.documentElement.removeAttribute('style')
  document.documentElement.className = ''
})

const shown = () => screen.findByRole('slider')
const press = (key: string, element: Element) => act(async () => void fireEvent.keyDown(element, { key }))
const text = (element: Element) => element.getAttribute('aria-valuetext')

function show(data: ChartData = load, more: { isZoomed?: boolean } = {}) {
  const onZoom = vi.fn<(span: Span | undefined) => void>()
  const outer = vi.fn<() => void>()
  const crosshair = createCrosshair()
  render(
    <div role="presentation" onKeyDown={outer}>
      <Chart label="Load" data={data} crosshair={crosshair} onZoom={onZoom} {...more} />
    </div>,
  )
  return { onZoom, outer, crosshair }
}

test('a text describes the lines, the gaps and the events', () => {
  const marks = [{ at: at(30), text: 'CPU of web is high', tone: 'red' }] as const
  const summary = chartSummary({ ...load, series: [cpu, line('Disk')], marks }, 'en-GB')
  const time = String.raw`\d\d:\d\d`
  expect(summary).toMatch(
    new RegExp(
      `^CPU: last 20\\.0%, lowest 10\\.0%, highest 30\\.0%\\. Disk: no figures\\. From ${time}:00 to ${time}:00\\. ` +
        `Not answering from ${time}:01 to ${time}:20\\. ${time}:30: CPU of web is high\\.$`,
    ),
  )
})

test('[M 3.1] arrow keys move between figures and gaps, and do not reach the row', async () => {
  const { outer } = show()
  const slider = await shown()
  expect(text(slider)).toMatch(/, CPU 20\.0%$/)
  await press('ArrowLeft', slider)
  expect(text(slider)).toMatch(/, CPU 30\.0%$/)
  await press('ArrowLeft', slider)
  expect(text(slider)).toMatch(/, CPU Not answering$/)
  await press('Home', slider)
  expect(text(slider)).toMatch(/, CPU 10\.0%$/)
  expect(slider.getAttribute('aria-valuenow')).toBe('0')
  await press('End', slider)
  expect(slider.getAttribute('aria-valuenow')).toBe('3')
  expect(outer).not.toHaveBeenCalled()
  await press('Enter', slider)
  expect(outer).toHaveBeenCalledOnce()
})

describe('[M 3.1] keys zoom', () => {
  test('plus halves and minus doubles the span around the crosshair', async () => {
    const { onZoom, crosshair } = show({ ...load, span: { from: at(0), to: at(240) } })
    const slider = await shown()
    act(() => crosshair.point(at(0)))
    await press('+', slider)
    expect(onZoom).toHaveBeenLastCalledWith({ from: at(0), to: at(120) })
    await press('-', slider)
    expect(onZoom).toHaveBeenLastCalledWith({ from: at(0), to: at(480) })
  })

  test('Escape goes back to the whole range, and otherwise belongs to the page', async () => {
    const first = show(load, { isZoomed: true })
    await press('Escape', await shown())
    expect(first.onZoom).toHaveBeenCalledWith(undefined)
    expect(first.outer).not.toHaveBeenCalled()
    cleanup()
    const second = show(load, { isZoomed: false })
    await press('Escape', await shown())
    expect(second.onZoom).not.toHaveBeenCalled()
    expect(second.outer).toHaveBeenCalledOnce()
  })
})

describe('[M 3.1] a finger', () => {
  type Move = readonly [type: string, x: number, pointerType?: string]
  const finger = async (...moves: readonly Move[]) => {
    const over = (await shown()).querySelector('.u-over')!
    for (const [type, clientX, pointerType = 'touch'] of moves)
      await act(async () => {
        over.dispatchEvent(Object.assign(new Event(type), { clientX, pointerType, isPrimary: true }))
      })
    return over as HTMLElement
  }

  test('that moves sideways draws the span of a zoom, and up and down it scrolls', async () => {
    const { onZoom } = show({ ...load, span: { from: at(0), to: at(600) } })
    const over = await finger(['pointerdown', 400], ['pointermove', 300], ['pointermove', 100])
    expect(over.style.touchAction).toBe('pan-y pinch-zoom')
    expect(onZoom).not.toHaveBeenCalled()
    await finger(['pointerup', 100])
    expect(onZoom).toHaveBeenCalledOnce()
    const { from, to } = onZoom.mock.calls[0]![0]!
    expect(at(0)).toBeLessThan(from)
    expect(from).toBeLessThan(to)
    expect(to).toBeLessThan(at(600))
  })

  test.each<[string, ...Move[]]>([
    ['that taps', ['pointerdown', 300], ['pointermove', 302], ['pointerup', 302]],
    ['that scrolls', ['pointerdown', 300], ['pointermove', 320], ['pointercancel', 320], ['pointerup', 340]],
    ['of a mouse', ['pointerdown', 300, 'mouse'], ['pointermove', 400, 'mouse'], ['pointerup', 400, 'mouse']],
  ])('%s does not zoom', async (_, ...moves) => {
    const { onZoom } = show({ ...load, span: { from: at(0), to: at(600) } })
    await finger(...moves)
    expect(onZoom).not.toHaveBeenCalled()
  })
})

test('[M 3.1] the readout shows the last figures, those at the crosshair, or the reason of the gap', async () => {
  const { crosshair } = show()
  await shown()
  const readout = () => screen.getByRole('figure').firstElementChild!.textContent
  expect(readout()).toBe('LoadCPU 20.0%')
  act(() => crosshair.point(at(20)))
  expect(readout()).toMatch(/^LoadCPU 30\.0%.*:20/)
  act(() => crosshair.point(at(10)))
  expect(readout()).toMatch(/^LoadCPU Not answering/)
})

test('a thing that has stopped shows so instead of its last figures', async () => {
  const stopped = { from: at(31), to: at(60), reason: 'stopped', words: 'Stopped' } as const
  show({ ...load, gaps: [silent, stopped] })
  await shown()
  expect(screen.getByRole('figure').firstElementChild!.textContent).toBe('LoadCPU Stopped')
})

test('[M 3.1] a line without figures is not in a gap that ended before the last figures of another line', async () => {
  const readout = () => screen.getByRole('figure').firstElementChild!.textContent
  show({ ...load, series: [cpu, { ...line('Disk'), gaps: [silent] }] })
  await shown()
  expect(readout()).toBe('LoadCPU 20.0%Disk —')
  cleanup()
  const stopped = { from: at(0), to: at(30), reason: 'stopped', words: 'Stopped' } as const
  show({ ...load, series: [cpu, { ...line('Disk'), gaps: [stopped] }] })
  await shown()
  expect(readout()).toBe('LoadCPU 20.0%Disk Stopped')
})

test('[M 3.1] gaps are drawn with their reason', async () => {
  show()
  await shown()
  await vi.waitFor(() => expect(drawn.texts).toContain('Not answering'), within(30_000))
})

test('another theme redraws it in its colours', async () => {
  show()
  await shown()
  await vi.waitFor(() => expect(drawn.strokes).toContain('blue'), within(30_000))
  document.documentElement.style.setProperty('--accent', 'white')
  await act(async () => void document.documentElement.classList.add('dark'))
  await vi.waitFor(() => expect(drawn.strokes).toContain('white'), within(30_000))
})

test('the axis ends above the highest figure, within its bounds; a limit is in view once figures come near', () => {
  const axis = { tick: String, least: 10, most: 100 }
  const limits = [{ label: '', value: 80 }]
  expect(topOf(axis, limits, 2)).toBe(10)
  expect(topOf(axis, limits, 30)).toBeCloseTo(33)
  expect(topOf(axis, limits, 50)).toBeCloseTo(84)
  expect(topOf(axis, limits, 99)).toBe(100)
  expect(topOf(axis, undefined, null)).toBe(10)
})
