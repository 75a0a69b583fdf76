import type { TracedCondition } from '@pulse/contract'
import { expect, test } from 'vitest'
import { leftText, untilAlert, untilNext, untilSent } from './time-left.tsx'

test.each([
  [0, undefined],
  [-5_000, undefined],
  [400, 'in 1 s'],
  [59_000, 'in 59 s'],
  [60_000, 'in 1 min'],
  [250_000, 'in 4 min 10 s'],
  [3_600_000, 'in 1 h'],
  [7_500_000, 'in 2 h 5 min'],
])('%d ms read %s', (ms, text) => expect(leftText(ms)).toBe(text))

const at = '2026-01-01T12:00:00.000Z'
const waiting: TracedCondition = {
  alertId: 'a',
  type: 'cpu',
  resourceId: 'r',
  resourceName: 'web',
  state: 'pending',
  delay: { seconds: 60, passedSeconds: 15, origin: { from: 'defaults' } },
  steps: [],
  notices: [
    { at, text: 'Sent.' },
    { at, text: 'Grouped.', wait: { reason: 'grouping', until: '2026-01-01T12:00:30.000Z' } },
    { at, text: 'Sent.', next: { kind: 'repeated', at: '2026-01-01T12:10:00.000Z' } },
  ],
}

test('a delay, a window and a reminder are counted down by the clock that set them', () => {
  expect(untilAlert(waiting)).toBe(45_000)
  expect(untilAlert({ ...waiting, state: 'active' })).toBeUndefined()
  expect(waiting.notices!.map(untilSent)).toEqual([undefined, 30_000, 600_000])
  expect(untilNext([waiting])).toBe(30_000)
  expect(untilNext([])).toBe(Infinity)
})
