// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { formatPercent } from '../../lib/format.ts'
import { Chart } from './chart.tsx'
import { type ChartSeries, chartSummary } from './series.ts'
import { within } from '../../../../../scripts/test-limits.ts'

const at = (second: number) => Date.UTC(2026, 5, 1, 12, 0, second)
const percent = (value: number | undefined) => formatPercent(value, 'en')
const line = (label: string, values: ChartSeries['values']): ChartSeries => ({
  label,
  values,
  format: percent,
  tone: 'accent',
  max: 100,
})
const times = [at(0), at(10), at(20), at(30)]
const cpu = line('CPU', [10, undefined, 30, 20])

/** happy-dom has no canvas, so this one records drawing calls. */
const drawn = { strokes: [] as unknown[], widths: [] as number[], moves: 0 }

beforeEach(() => {
  Object.assign(drawn, { strokes: [], widths: [], moves: 0 })
  vi.stubGlobal(
    'Path2D',
    class {
      moveTo() {
        drawn.moves += 1
      }
      lineTo() {}
      rect() {}
      arc() {}
      addPath() {}
    },
  )
  const surface = new Proxy<Record<string, unknown>>(
    {},
    {
      get: (known, name: string) => known[name] ?? (() => undefined),
      set(known, name: string, value) {
        known[name] = value
        if (name === 'strokeStyle') drawn.strokes.push(value)
        return true
      },
    },
  )
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(surface as never)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600)
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

test("without data and while loading it has the chart's size and does not load the library", () => {
  const { rerender } = render(
    <Chart label="Load" times={[]} series={[line('CPU', [])]} empty="Nothing yet" />,
  )
  expect(screen.getByText('Nothing yet')).toBeTruthy()
  expect(document.querySelector('canvas')).toBeNull()
  rerender(<Chart label="Load" times={times} series={[cpu]} loading />)
  expect(screen.getByRole('figure', { name: 'Load' }).getAttribute('aria-busy')).toBe('true')
  expect(screen.queryByText('Nothing yet')).toBeNull()
})

test('a text describes the lines', () => {
  const text = chartSummary({ times, series: [cpu, line('Disk', [])] }, 'en-GB')
  expect(text).toMatch(
    /^CPU: now 20\.0%, lowest 10\.0%, highest 30\.0%\. Disk: no figures\. From \d\d:\d\d:00 to \d\d:\d\d:30\.$/,
  )
})

test('arrow keys move between figures and do not reach the row', async () => {
  const outer = vi.fn<() => void>()
  render(
    <div role="presentation" onKeyDown={outer}>
      <Chart label="Load" times={times} series={[cpu]} />
    </div>,
  )
  const slider = await shown()
  expect(slider.getAttribute('aria-valuetext')).toMatch(/, CPU 20\.0%$/)
  const press = async (key: string) => act(async () => void fireEvent.keyDown(slider, { key }))
  await press('ArrowLeft')
  expect(slider.getAttribute('aria-valuetext')).toMatch(/, CPU 30\.0%$/)
  await press('ArrowLeft')
  expect(slider.getAttribute('aria-valuetext')).toMatch(/, CPU —$/)
  await press('Home')
  expect(slider.getAttribute('aria-valuenow')).toBe('0')
  await press('End')
  expect(slider.getAttribute('aria-valuenow')).toBe('3')
  expect(outer).not.toHaveBeenCalled()
  await press('Enter')
  expect(outer).toHaveBeenCalledOnce()
})

test('another theme redraws it in its colours', async () => {
  render(<Chart label="Load" times={times} series={[cpu]} />)
  await shown()
  await vi.waitFor(() => expect(drawn.strokes).toContain('blue'), within(30_000))
  document.documentElement.style.setProperty('--accent', 'white')
  await act(async () => void document.documentElement.classList.add('dark'))
  await vi.waitFor(() => expect(drawn.strokes).toContain('white'), within(30_000))
})
