import { expect, test } from 'vitest'
import { delayOf, inheritedDelay } from './delays.ts'
import { settings } from './fixtures.ts'

const seconds = (change: Parameters<typeof settings>[0], types: string[], metric: string) =>
  delayOf(settings(change), types, metric)

test.each([
  ['guest', 'cpu'],
  ['node', 'temperature'],
  ['storage', 'usage'],
  ['pbs', 'memory'],
])('[spec 3 §9] the delay of %s is five seconds', (type, metric) => {
  expect(seconds({}, [type], metric)).toEqual({
    seconds: 5,
    origin: { from: 'defaults', name: `timeThresholds.${type}` },
  })
})

const byType = { guest: 10, node: 20, storage: 30, pbs: 40 }
const of = (name: string, value: number) => ({ seconds: value, origin: { from: 'defaults', name } })

test('the nearest setting applies: metric, type default, type, all, and the legacy one last', () => {
  const metricTimeThresholds = { guest: { diskread: 1, default: 2 }, all: { cpu: 3 } }
  expect(seconds({ metricTimeThresholds }, ['guest'], 'diskRead')).toEqual(
    of('metricTimeThresholds.guest.diskread', 1),
  )
  expect(seconds({ metricTimeThresholds }, ['guest'], 'cpu')).toEqual(
    of('metricTimeThresholds.guest.default', 2),
  )
  expect(
    seconds({ timeThresholds: byType, metricTimeThresholds: { all: { cpu: 3 } } }, ['guest'], 'cpu'),
  ).toEqual(of('timeThresholds.guest', 10))
  expect(seconds({ metricTimeThresholds }, ['other'], 'cpu')).toEqual(of('metricTimeThresholds.all.cpu', 3))
  expect(seconds({ timeThresholds: { ...byType, all: 50 } }, ['other'], 'cpu')).toEqual(
    of('timeThresholds.all', 50),
  )
  expect(seconds({ timeThreshold: 60 }, ['other'], 'cpu')).toEqual(of('timeThreshold', 60))
})

test('a type without a delay inherits: containers from guests; backup servers have their own', () => {
  expect(seconds({ timeThresholds: byType }, ['docker', 'guest'], 'cpu').seconds).toBe(10)
  expect(
    seconds(
      { timeThresholds: byType, metricTimeThresholds: { docker: { '*': 7 } } },
      ['docker', 'guest'],
      'cpu',
    ).seconds,
  ).toBe(7)
  expect(seconds({ timeThresholds: byType }, ['pbs', 'node'], 'cpu').seconds).toBe(40)
})

test('a delay of 0 is a setting too', () => {
  expect(seconds({ metricTimeThresholds: { guest: { cpu: 0 } } }, ['guest'], 'cpu').seconds).toBe(0)
})

test('containers inherit the delay of the same metric of guests, then the common one', () => {
  const config = settings({ metricTimeThresholds: { guest: { cpu: 60 }, docker: { cpu: 20 } } })
  expect(inheritedDelay(config, 'docker', 'cpu')).toBe(60)
  expect(inheritedDelay(config, 'docker', 'memory')).toBe(5)
  expect(inheritedDelay(config, 'guest', 'cpu')).toBe(5)
})
