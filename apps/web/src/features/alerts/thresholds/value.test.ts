import { describe, expect, test } from 'vitest'
import {
  containerMetrics,
  guestMetrics,
  mailMetrics,
  type Metric,
  nodeMetrics,
  storageMetrics,
} from './metrics.ts'
import { isOff, readTyped, stored, triggerOf } from './value.ts'

const metric = (metrics: readonly Metric[], key: string) => metrics.find((one) => one.key === key)!
const typed = (text: string, one: Metric) => {
  const read = readTyped(text, one)
  return read.what === 'value' ? read.value : read.what
}

describe('[spec 3 §5] what is typed into a threshold', () => {
  const cpu = metric(nodeMetrics, 'cpu')

  test.each([
    ['85', 85],
    [' 85.5 ', 85.5],
    ['85,5', 85.5],
    ['', 'cleared'],
    ['  ', 'cleared'],
    ['abc', 'ignored'],
    ['8o', 'ignored'],
    ['Infinity', 'ignored'],
    ['-1', -1],
    ['0', -1],
    ['-7', -1],
    ['101', 100],
  ])('%j is %s', (text, value) => {
    expect(typed(text, cpu)).toBe(value)
  })

  test.each([
    { metrics: nodeMetrics, key: 'temperature', least: -1, most: 150 },
    { metrics: guestMetrics, key: 'diskRead', least: -1, most: 10_000 },
    { metrics: guestMetrics, key: 'diskWrite', least: -1, most: 10_000 },
    { metrics: guestMetrics, key: 'networkIn', least: -1, most: 10_000 },
    { metrics: guestMetrics, key: 'networkOut', least: -1, most: 10_000 },
    { metrics: guestMetrics, key: 'cpu', least: -1, most: 100 },
    { metrics: guestMetrics, key: 'memory', least: -1, most: 100 },
    { metrics: guestMetrics, key: 'disk', least: -1, most: 100 },
    { metrics: storageMetrics, key: 'usage', least: -1, most: 100 },
    { metrics: containerMetrics, key: 'restartCount', least: -1, most: 50 },
    { metrics: containerMetrics, key: 'restartWindow', least: -1, most: 86_400 },
    { metrics: containerMetrics, key: 'memoryWarnPct', least: -1, most: 10_000 },
    { metrics: mailMetrics, key: 'queueTotalWarning', least: 0, most: 10_000 },
  ])('$key is from $least to $most', ({ metrics, key, least, most }) => {
    const one = metric(metrics, key)
    expect(typed('-99999999', one)).toBe(least)
    expect(typed('99999999', one)).toBe(most)
  })

  test('[spec 3 §4] figures of mail are whole numbers from 0', () => {
    const warn = metric(mailMetrics, 'queueTotalWarning')
    expect([typed('12.6', warn), typed('-5', warn)]).toEqual([13, 0])
  })
})

test.each([
  [85, { trigger: 85, clear: 80 }],
  [3, { trigger: 3, clear: 0 }],
  [-1, { trigger: -1, clear: 0 }],
])('[spec 3 §3] a trigger of %i ends at 5 less, and not below 0', (trigger, pair) => {
  expect(stored({}, trigger)).toEqual(pair)
  expect(triggerOf(pair)).toBe(trigger)
})

test('a figure that stands alone has none', () => {
  expect(stored({ alone: true }, 3)).toBe(3)
  expect(triggerOf(3)).toBe(3)
})

test('[spec 3 §4] 0 and less is off; what is not set is not', () => {
  expect([-1, 0, 1, undefined].map(isOff)).toEqual([true, true, false, false])
})

test.each([
  { metrics: guestMetrics, key: 'networkIn', value: 100 },
  { metrics: nodeMetrics, key: 'temperature', value: 80 },
  { metrics: containerMetrics, key: 'restartCount', value: 3 },
  { metrics: containerMetrics, key: 'restartWindow', value: 300 },
  { metrics: containerMetrics, key: 'memoryWarnPct', value: 90 },
  { metrics: containerMetrics, key: 'memoryCriticalPct', value: 95 },
  { metrics: guestMetrics, key: 'disk', value: 80 },
  { metrics: storageMetrics, key: 'usage', value: 80 },
])('[spec 3 §9] switched on, $key is $value', ({ metrics, key, value }) => {
  expect(metric(metrics, key).switchedOn).toBe(value)
})
