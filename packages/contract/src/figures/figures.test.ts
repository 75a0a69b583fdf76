import { expect, test } from 'vitest'
import { figures, type Figure, freshValue, thresholdValue } from './index.ts'

const all = Object.entries(figures).flatMap(([kind, ofKind]) =>
  Object.entries(ofKind).map(([field, figure]) => ({
    at: `${kind}.${field}`,
    figure: figure as unknown as Figure<object>,
  })),
)

test('no two figures have the same metric for Prometheus', () => {
  const names = all.flatMap(({ figure: { prometheus } }) => (prometheus ? [prometheus.name] : []))
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

test('history samples amounts per second as rates, and an age, but no moments', () => {
  const ages = ['pmg.oldestMail']
  for (const { at, figure } of all) {
    expect(figure.history === 'rate', at).toBe(figure.unit === 'bytes/s')
    if (figure.unit === 'seconds') expect(figure.history !== undefined, at).toBe(ages.includes(at))
  }
})

test('a stale figure has no fresh value, and still one to compare with a threshold', () => {
  const figure: Figure<{ used: number; old: boolean }> = {
    unit: 'ratio',
    read: ({ used }) => used,
    isStale: ({ old }) => old,
  }
  expect([
    freshValue(figure, { used: 0.5, old: false }),
    freshValue(figure, { used: 0.5, old: true }),
  ]).toEqual([0.5, undefined])
  expect(thresholdValue(figure, { used: 0.5, old: true })).toBe(50)
})

test('a rate is compared in megabytes, a percentage as it is, an unknown value not at all', () => {
  const of = (unit: 'bytes/s' | 'percent'): Figure<{ value?: number }> => ({
    unit,
    read: ({ value }) => value,
  })
  expect(thresholdValue(of('bytes/s'), { value: 3 * 1_048_576 })).toBe(3)
  expect(thresholdValue(of('percent'), { value: 81 })).toBe(81)
  expect(thresholdValue(of('percent'), {})).toBeUndefined()
})
