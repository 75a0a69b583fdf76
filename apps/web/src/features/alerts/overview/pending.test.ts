import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPending } from './pending.ts'

let late = 0
const given = () => createPending(() => void late++)

beforeEach(() => {
  late = 0
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

test('[spec 3 §4] a change holds until it is confirmed, and nothing is late then', () => {
  const pending = given()
  pending.begin(['a', 'b'], true)
  expect([...pending.view().wanted]).toEqual([
    ['a', true],
    ['b', true],
  ])
  pending.confirm(['a', 'b'])
  expect(pending.view().wanted.size).toBe(0)
  vi.advanceTimersByTime(20_000)
  expect(late).toBe(0)
})

test('[spec 3 §4] after 15 s without it the change is dropped, which is reported once', () => {
  const pending = given()
  pending.begin(['a', 'b'], true)
  vi.advanceTimersByTime(14_999)
  expect([pending.view().wanted.size, late]).toEqual([2, 0])
  vi.advanceTimersByTime(1)
  expect([pending.view().wanted.size, late]).toEqual([0, 1])
})

test('a repeated change has its own 15 s', () => {
  const pending = given()
  pending.begin(['a'], true)
  vi.advanceTimersByTime(10_000)
  pending.begin(['a'], false)
  vi.advanceTimersByTime(10_000)
  expect([pending.view().wanted.get('a'), late]).toEqual([false, 0])
  vi.advanceTimersByTime(5_000)
  expect([pending.view().wanted.get('a'), late]).toEqual([undefined, 1])
})

test('[spec 3 §4] the button of a single action rests for 1.5 s after the answer', () => {
  const pending = given()
  pending.begin(['a'], true, { locks: true })
  pending.unlockSoon('a')
  vi.advanceTimersByTime(1_499)
  expect(pending.view().locked.has('a')).toBe(true)
  vi.advanceTimersByTime(1)
  expect(pending.view().locked.has('a')).toBe(false)
})

test('what failed is as the server says, and not late', () => {
  const pending = given()
  pending.begin(['a'], true)
  pending.drop(['a'])
  vi.advanceTimersByTime(20_000)
  expect([pending.view().wanted.size, late]).toEqual([0, 0])
})
