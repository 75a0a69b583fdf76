import { type HistoryTrends, trendPoints } from '@pulse/contract'
import { aSecurityStatus } from '@pulse/testkit'
import { act, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, vi } from 'vitest'
import { ApiProvider } from '../../api/api.tsx'
import type { Api } from '../../api/client.ts'
import { QueryRoot } from '../../api/query-root.tsx'
import { SessionProvider, toSession } from '../../api/session.tsx'

/** Drawing calls, because happy-dom has no canvas. */
export const drawn = { fills: 0, lines: 0, colours: [] as unknown[] }

const observers = new Set<() => void>()

/** Every page begins without lines, its rows and columns have a size, and time stands still. */
export function inFreshPages() {
  beforeEach(async () => {
    localStorage.clear()
    // the code of the layer takes no time afterwards
    await import('./layer.tsx')
    Object.assign(drawn, { fills: 0, lines: 0, colours: [] })
    vi.useFakeTimers()
    vi.stubGlobal('scrollTo', () => {})
    vi.stubGlobal(
      'ResizeObserver',
      class {
        notify: () => void
        constructor(callback: (entries: unknown[]) => void) {
          this.notify = () => callback([])
          observers.add(this.notify)
        }
        observe() {}
        unobserve() {}
        disconnect = () => void observers.delete(this.notify)
      },
    )
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(aSurface() as never)
    vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(120)
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(360)
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible')
    vi.spyOn(window, 'innerHeight', 'get').mockReturnValue(640)
    vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(1_000_000)
    scrollTo(0)
    document.documentElement.style.setProperty('--bar', 'grey')
  })
  afterEach(() => {
    observers.clear()
    document.documentElement.removeAttribute('style')
    document.documentElement.className = ''
    vi.useRealTimers()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
}

function aSurface() {
  let moves = 0
  return {
    globalAlpha: 1,
    set fillStyle(colour: unknown) {
      drawn.colours.push(colour)
    },
    setTransform() {},
    clearRect() {},
    beginPath: () => void (moves = 0),
    moveTo: () => void moves++,
    lineTo() {},
    fill() {
      drawn.fills++
      drawn.lines = moves
    },
  }
}

export const scrollTo = (top: number) => {
  vi.spyOn(window, 'scrollY', 'get').mockReturnValue(top)
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue({ top: -top } as DOMRect)
  act(() => void window.dispatchEvent(new Event('scroll')))
}

const frameMs = 20

/** The time has passed; then the page was rendered, laid out and drawn. */
export async function pass(ms: number) {
  await act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
  for (let frame = 0; frame < 3; frame++) {
    act(() => observers.forEach((notify) => notify()))
    await act(async () => void (await vi.advanceTimersByTimeAsync(frameMs)))
  }
}

/** Every thing of every kind has all of its last hour. */
export const trendsOf = (ids: readonly string[], fields: string): HistoryTrends => ({
  from: 0,
  ids: [...ids],
  fields: Object.fromEntries(
    fields
      .split(',')
      .map((field) => [
        field,
        { unit: 'ratio', points: 'z'.repeat(ids.length * trendPoints.minutes), tops: ids.map(() => 1) },
      ]),
  ),
})

interface Asked {
  kind: string
  fields: string
}

/** Renders with an API that answers calls for trends, and with what queries need. */
export async function showWithTrends(children: ReactNode, answer: (asked: Asked) => HistoryTrends) {
  const calls: Asked[] = []
  const api = {
    async call(_: unknown, { query }: { query: Asked }) {
      calls.push(query)
      return answer(query)
    },
  } as unknown as Api
  const around = (inside: ReactNode) => (
    <ApiProvider api={api}>
      <SessionProvider session={toSession(aSecurityStatus(), async () => {})}>
        <QueryRoot>{inside}</QueryRoot>
      </SessionProvider>
    </ApiProvider>
  )
  const { rerender, unmount } = await act(async () => render(around(children)))
  await pass(100)
  return { calls, unmount, rerender: (inside: ReactNode) => act(async () => rerender(around(inside))) }
}
