// @vitest-environment happy-dom
import { act, cleanup, render } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Grid } from './grid.tsx'

const rowHeight = 32
const windowHeight = 640
const many = Array.from({ length: 1_000 }, (_, at) => `row-${at}`)

/** A ResizeObserver that the test triggers. */
const observers = new Set<{ targets: Set<Element>; notify: () => void }>()
let scrolled: unknown[][]

interface Options {
  rows?: readonly string[]
  lower?: boolean
  /** called after the first render */
  onDrawn?: () => void
}

function setup({ rows = many, lower = false, onDrawn }: Options = {}) {
  const show = (shown: readonly string[]) => (
    <>
      <Grid
        label="Things"
        columns={[]}
        sort={undefined}
        onSort={() => {}}
        rows={shown}
        kindOf={() => ({ focusable: true })}
        heightOf={(row) => (row.startsWith('details') ? undefined : rowHeight)}
        renderRow={(row) => <div role="gridcell">{row}</div>}
        onActivate={() => {}}
        minWidth={0}
        phone={false}
        lower={lower}
      />
      <Drawn notify={onDrawn} />
    </>
  )
  const { rerender } = render(show(rows))
  return (next: readonly string[]) => rerender(show(next))
}

function Drawn({ notify }: { notify: (() => void) | undefined }) {
  useLayoutEffect(() => notify?.(), [notify])
  return null
}

const shown = () => [...document.querySelectorAll<HTMLElement>('[data-row]')].map((row) => row.dataset['row'])
const row = (name: string) => document.querySelector<HTMLElement>(`[data-row="${name}"]`)!
const height = () => document.querySelector<HTMLElement>('[data-row]')!.parentElement!.style.height
const notifySizes = (those: Iterable<{ notify: () => void }> = observers) =>
  act(() => [...those].forEach(({ notify }) => notify()))
function scrollWindow(top: number) {
  vi.spyOn(window, 'scrollY', 'get').mockReturnValue(top)
  act(() => void window.dispatchEvent(new Event('scroll')))
}
const between = (first: number, last: number) => many.slice(first, last + 1)

beforeEach(() => {
  scrolled = []
  vi.stubGlobal(
    'ResizeObserver',
    class {
      targets = new Set<Element>()
      notify: () => void
      constructor(callback: (entries: { target: Element }[]) => void) {
        this.notify = () => callback([...this.targets].map((target) => ({ target })))
        observers.add(this)
      }
      observe = (target: Element) => void this.targets.add(target)
      unobserve = (target: Element) => void this.targets.delete(target)
      disconnect = () => void observers.delete(this)
    },
  )
  vi.stubGlobal('scrollTo', (...args: unknown[]) => scrolled.push(args))
  vi.stubGlobal('scrollBy', (...args: unknown[]) => scrolled.push(args))
  vi.spyOn(window, 'scrollY', 'get').mockReturnValue(0)
  vi.spyOn(window, 'innerHeight', 'get').mockReturnValue(windowHeight)
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(1_000_000)
})
afterEach(() => {
  cleanup()
  observers.clear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('the rows in the window exist, and four beyond either edge', () => {
  setup()
  expect(shown()).toEqual(between(0, 23))
  scrollWindow(100 * rowHeight)
  expect(shown()).toEqual(between(96, 123))
  expect(row('row-96').style.top).toBe(`${96 * rowHeight}px`)
  expect(height()).toBe(`${1_000 * rowHeight}px`)
})

test('the first render reads the window once, before layout, and scrolls nothing', () => {
  const inDom: number[] = []
  vi.spyOn(window, 'scrollY', 'get').mockImplementation(() => (inDom.push(shown().length), 0))
  setup()
  expect(inDom).toEqual([0])
  expect(scrolled).toEqual([])
})

test('a table in the lower half of the window renders no extra rows before its position is known', () => {
  setup({ lower: true })
  expect(shown()).toEqual(between(0, 13))
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue({ top: 200 } as DOMRect)
  notifySizes()
  // rows 0 to 13 are in the window
  expect(shown()).toEqual(between(0, 17))
})

test('a page that is scrolled after the first render shows the right rows', () => {
  vi.spyOn(window, 'scrollY', 'get').mockReturnValue(100 * rowHeight)
  setup({
    onDrawn() {
      vi.spyOn(window, 'scrollY', 'get').mockReturnValue(0)
      window.dispatchEvent(new Event('scroll'))
    },
  })
  expect(shown()).toEqual(between(0, 23))
})

test('rows are rendered when content above shrinks and the table grows by the same height', () => {
  const top = vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect')
  top.mockReturnValue({ top: 500 } as DOMRect)
  const show = setup({ rows: many.slice(0, 3) })
  notifySizes()
  top.mockReturnValue({ top: 40 } as DOMRect)
  show(many.slice(0, 18))
  notifySizes([...observers].filter(({ targets }) => !targets.has(document.body) || targets.size > 1))
  expect(shown()).toEqual(between(0, 17))
})

test('a measured row takes its height, and the rows below follow', () => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(300)
  setup({ rows: ['a', 'details-a', 'b'] })
  expect(row('b').style.top).toBe('332px')
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(250)
  notifySizes()
  expect(row('b').style.top).toBe('282px')
  expect(scrolled).toEqual([])
})

test('rows in view stay in place when a row above them grows', () => {
  vi.spyOn(window, 'scrollY', 'get').mockReturnValue(100)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(300)
  setup({ rows: ['a', 'details-a', ...many] })
  expect(scrolled, '140 px more than estimated').toEqual([[{ top: 240 }]])
  scrollWindow(240)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(340)
  notifySizes()
  expect(scrolled.slice(1)).toEqual([[{ top: 280 }]])
})

test('the page scrolls again once the table is tall enough', () => {
  let top = 192
  vi.spyOn(window, 'scrollY', 'get').mockImplementation(() => top)
  const pageHeight = () => Number.parseFloat(height())
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockImplementation(pageHeight)
  vi.stubGlobal('scrollTo', (to: { top: number }) => (top = Math.min(to.top, pageHeight() - windowHeight)))
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(160)
  setup({ rows: ['a', 'details-a', ...many.slice(0, 20)] })
  expect([pageHeight(), top]).toEqual([832, 192])
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(300)
  notifySizes()
  expect([pageHeight(), top]).toEqual([972, 332])
})

test('another list gets new positions', () => {
  const show = setup({ rows: many.slice(0, 3) })
  expect(height()).toBe('96px')
  show([])
  expect(shown()).toEqual([])
  show(many)
  expect(shown()).toEqual(between(0, 23))
})
