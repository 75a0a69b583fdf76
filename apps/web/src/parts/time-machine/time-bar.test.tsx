// @vitest-environment happy-dom
import type { AlertHistoryEntry, HistoryGap } from '@pulse/contract'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { TimeBar } from './time-bar.tsx'

afterEach(cleanup)

const span = { from: 0, to: 3_600_000 }
const alert = { startTime: new Date(60_000).toISOString(), peakLevel: 'warning' } as AlertHistoryEntry
const off: HistoryGap = { from: 60_000, to: 120_000, reason: 'off' }

test.each([
  [1, 1, '1 alert. Pulse was off 1 time.'],
  [2, 0, '2 alerts. Pulse was off 0 times.'],
  [1_200, 3, '1200 alerts. Pulse was off 3 times.'],
])('[M 3.4] the bar is described: %i alerts, off %i times', (alerts, gaps, text) => {
  const marks = {
    alerts: Array.from({ length: alerts }, () => alert),
    off: Array.from({ length: gaps }, () => off),
  }
  render(<TimeBar {...{ span, at: 0, text: '', marks, onMove() {}, handle: null }} />)
  const note = document.getElementById(screen.getByRole('slider').getAttribute('aria-describedby')!)
  expect(note!.textContent).toBe(text)
})
