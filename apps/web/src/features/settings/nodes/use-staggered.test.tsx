// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useStaggered } from './use-discovery.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('[spec 2 §4] each step is due 50 ms after the one before', () => {
  vi.useFakeTimers()
  const { result } = renderHook(() => [useStaggered(1), useStaggered(2)])
  const due = [result.current]
  for (const ms of [49, 1, 49, 1]) {
    act(() => vi.advanceTimersByTime(ms))
    due.push(result.current)
  }
  expect(due).toEqual([
    [false, false],
    [false, false],
    [true, false],
    [true, false],
    [true, true],
  ])
})
