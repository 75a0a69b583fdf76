import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { stubCanvas } from '../chart/fake-canvas.ts'
import { now } from './fixtures.ts'

export const hour = 3_600_000
let number = 0
/** Each test opens another guest, because what a guest shows is remembered. */
export const nextId = () => `c1:${++number}`

/** The clock and the canvas of tests of the charts of a thing. */
export function viewTest(): void {
  beforeEach(() => {
    stubCanvas()
    vi.useFakeTimers({ shouldAdvanceTime: true, now })
  })
  afterEach(async () => {
    // the next row begins with the latest choice
    if (screen.queryByRole('radio', { name: '1 h' })) await choose('1 h')
    const asTable = screen.queryByRole('button', { name: 'Show as table' })
    if (asTable?.getAttribute('aria-pressed') === 'true') await click('Show as table')
    cleanup()
    vi.useRealTimers()
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })
}

export const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
export const charts = () => screen.findAllByRole('slider')
export const choose = (name: string) =>
  act(async () => void fireEvent.click(screen.getByRole('radio', { name })))
export const click = (name: string) =>
  act(async () => void fireEvent.click(screen.getByRole('button', { name })))
export const press = (element: Element, key: string) =>
  act(async () => void fireEvent.keyDown(element, { key }))
export const captions = () =>
  screen.getAllByRole('figure').map((one) => one.querySelector('figcaption')!.textContent)
/** The times of all charts, each once. */
export const spans = () => [...new Set(captions().map(spanIn))]

const spanIn = (caption: string): string => caption.slice(caption.indexOf(' From ')).split('.')[0]!
