// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Until, When } from './when.tsx'

beforeEach(() => {
  vi.useFakeTimers()
  vi.setSystemTime('2026-01-10T12:00:00Z')
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('how long ago, and exactly when', () => {
  const { container } = render(<When time="2026-01-08T12:00:00Z" />)
  expect(container.textContent).toMatch(/^2 days agoJan 8, 2026, \d+:00/)
  expect(container.querySelector('time')!.dateTime).toBe('2026-01-08T12:00:00Z')
})

test('[spec 2 §3] a time that is absent reads Never', () => {
  expect(render(<When time={undefined} />).container.textContent).toBe('Never')
  expect(render(<Until time={undefined} />).container.textContent).toBe('Never')
})

test.each([
  { time: '2026-02-09T12:00:00Z', text: /^in 30 daysFeb 9, 2026/ },
  { time: '2026-01-11T12:00:20Z', text: /^tomorrowJan 11, 2026/ },
  { time: '2026-01-10T12:30:00Z', text: /^tomorrowJan 10, 2026/ },
  { time: '2026-01-11T10:00:00Z', text: /^tomorrowJan 11, 2026/ },
  { time: '2026-01-10T12:00:00Z', text: /^ExpiredJan 10, 2026/ },
  { time: '2025-01-10T12:00:00Z', text: /^ExpiredJan 10, 2025/ },
])('until $time', ({ time, text }) => {
  expect(render(<Until time={time} />).container.textContent).toMatch(text)
})
