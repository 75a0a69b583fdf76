// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useNow } from './use-now.ts'

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
