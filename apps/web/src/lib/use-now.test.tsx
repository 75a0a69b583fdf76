// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { tickInFrame, useNow } from './use-now.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('one timer for everyone; drawn again only when the view differs; no timer when nobody looks', () => {
  vi.useFakeTimers({ now: 0 })
  let drawn = 0
  const minutes = renderHook(() => {
    drawn += 1
    return useNow(1_000, (now) => Math.floor(now / 60_000))
  })
  const seconds = renderHook(() => useNow(1_000, (now) => Math.floor(now / 1_000)))
  expect(vi.getTimerCount()).toBe(1)
  act(() => void vi.advanceTimersByTime(59_000))
  expect([minutes.result.current, drawn, seconds.result.current]).toEqual([0, 1, 59])
  act(() => void vi.advanceTimersByTime(1_000))
  expect([minutes.result.current, drawn]).toEqual([1, 2])
  minutes.unmount()
  seconds.unmount()
  expect(vi.getTimerCount()).toBe(0)
})

test('the last who leaves while it ticks takes the timer along', () => {
  vi.useFakeTimers({ now: 0 })
  const view = renderHook(() =>
    useNow(1_000, (now) => {
      if (now === 1_000) view.unmount()
      return now
    }),
  )
  vi.advanceTimersByTime(1_000)
  expect(vi.getTimerCount()).toBe(0)
})

test('what is drawn every ten seconds is drawn with something else that comes as often, whenever that began', () => {
  vi.useFakeTimers({ now: 0 })
  const view = renderHook(() => useNow(10_000, (now) => now))
  const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))
  const drawnBy = (run: () => void) => {
    const before = view.result.current
    run()
    return view.result.current !== before
  }
  pass(3_000)
  const alone: boolean[] = []
  for (let cycle = 0; cycle < 6; cycle++) {
    const along = drawnBy(() => act(tickInFrame))
    alone.push(drawnBy(() => pass(9_999)) || !along)
    pass(1)
  }
  expect(alone.slice(3)).toEqual([false, false, false])
  expect(drawnBy(() => pass(12_500))).toBe(true)
  expect(drawnBy(() => pass(10_000))).toBe(true)
  view.unmount()
})

test('seconds are counted on their own', () => {
  vi.useFakeTimers({ now: 0 })
  const seconds = renderHook(() => useNow(1_000, (now) => now))
  act(() => void vi.advanceTimersByTime(900))
  act(tickInFrame)
  expect(seconds.result.current).toBe(0)
  seconds.unmount()
})
