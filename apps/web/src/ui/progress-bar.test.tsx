// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { ProgressBar } from './progress-bar.tsx'

afterEach(cleanup)

test.each([
  { percent: 0, shift: -100, now: '0' },
  { percent: 41.6, shift: -58.4, now: '42' },
  { percent: 140, shift: 0, now: '100' },
])('$percent only moves a transform', ({ percent, shift, now }) => {
  render(<ProgressBar label="Scan" percent={percent} />)
  const bar = screen.getByRole('progressbar', { name: 'Scan' })
  expect(bar.getAttribute('aria-valuenow')).toBe(now)
  const moved = /^translateX\((.*)%\)$/.exec((bar.firstElementChild as HTMLElement).style.transform)!
  expect(Number(moved[1])).toBeCloseTo(shift)
})

test('without a known progress it has no value', () => {
  render(<ProgressBar label="Scan" percent={undefined} />)
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBeNull()
})
