import { expect, test } from 'vitest'
import { barPaths } from './marks.ts'

const span = { from: 1_000, to: 5_000 }
const alert = (at: number, peakLevel: 'warning' | 'critical' = 'warning') => ({
  startTime: new Date(at).toISOString(),
  peakLevel,
})

test('[M 3.4] alerts at one place of the bar are one mark, critical if one of them is', () => {
  const alerts = [alert(2_000), alert(2_001), alert(3_000), alert(3_001, 'critical')]
  expect(barPaths(span, alerts, [])).toEqual({ warning: 'M100 0V1', critical: 'M200 0V1', off: '' })
})

test('[M 3.4] the bar shows only its own time', () => {
  expect(
    barPaths(
      span,
      [alert(999), alert(6_000)],
      [
        { from: 0, to: 2_000 },
        { from: 6_000, to: 7_000 },
      ],
    ),
  ).toEqual({
    warning: '',
    critical: '',
    off: 'M0 0H100V1H0Z',
  })
})

test('[M 3.4] ten thousand alerts make no more marks than the bar has columns', () => {
  const alerts = Array.from({ length: 10_000 }, (_, n) => alert(1_000 + (n * 4_000) / 10_000))
  expect(barPaths(span, alerts, []).warning.split('M').length - 1).toBeLessThanOrEqual(401)
})
