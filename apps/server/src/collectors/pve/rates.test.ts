import { expect, test } from 'vitest'
import { addSample, type Counters, type RateWindow } from './rates.ts'

/** Rates after the last of these samples, given as seconds and the two counters. */
function ratesAfter(...samples: [seconds: number, counters: Counters, origin?: string][]) {
  let window: RateWindow | undefined
  for (const [seconds, counters, origin = 'listing pve1'] of samples) {
    window = addSample(window, origin, seconds * 1000, counters)
  }
  return window?.rates
}

test.each<[string, Parameters<typeof ratesAfter>, Counters | undefined]>([
  ['the first sample', [[0, [100, 100]]], undefined],
  [
    'two samples',
    [
      [0, [0, 0]],
      [10, [1_000, 500]],
    ],
    [100, 50],
  ],
  [
    'an uneven refresh is averaged over four samples',
    [
      [0, [0, 0]],
      [10, [2_000, 0]],
      [20, [2_500, 0]],
      [30, [3_000, 0]],
    ],
    [100, 0],
  ],
  [
    'only the last four samples count',
    [
      [0, [0, 0]],
      [10, [10_000, 0]],
      [20, [10_100, 0]],
      [30, [10_200, 0]],
      [40, [10_300, 0]],
    ],
    [10, 0],
  ],
  [
    'a counter that stands still for a moment keeps the rate',
    [
      [0, [0, 0]],
      [10, [1_000, 0]],
      [20, [1_000, 0]],
    ],
    [100, 0],
  ],
  [
    'a counter that stands still for over a minute means idle',
    [
      [0, [0, 0]],
      [10, [1_000, 0]],
      [71, [1_000, 0]],
    ],
    [0, 0],
  ],
  [
    'after idleness the rate is that of the last step',
    [
      [0, [0, 0]],
      [61, [0, 0]],
      [71, [0, 0]],
      [81, [500, 0]],
    ],
    [50, 0],
  ],
  [
    'a restart',
    [
      [0, [5_000, 5_000]],
      [10, [6_000, 6_000]],
      [20, [10, 10]],
    ],
    [0, 0],
  ],
  [
    'after a restart the window begins again',
    [
      [0, [5_000, 0]],
      [10, [0, 0]],
      [20, [1_000, 0]],
    ],
    [100, 0],
  ],
  [
    'a migration begins again',
    [
      [0, [0, 0]],
      [10, [1_000, 0]],
      [20, [2_000, 0], 'listing pve2'],
    ],
    undefined,
  ],
  [
    'an answer that is older than the last one',
    [
      [0, [0, 0]],
      [10, [1_000, 0]],
      [5, [9_000, 0]],
    ],
    [100, 0],
  ],
])('[facts 1.11] %s', (_case, samples, expected) => {
  expect(ratesAfter(...samples)).toEqual(expected)
})
