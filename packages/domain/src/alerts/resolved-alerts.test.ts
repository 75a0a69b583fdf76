import { anAlert } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { ResolvedAlerts, maxResolved } from './resolved-alerts.ts'
import type { StoredResolved } from './stored.ts'

const resolvedOf = (id: string, endedAt: number): StoredResolved => ({
  stored: {
    alert: anAlert({ id }),
    episode: id,
    kind: 'dockerContainers',
    record: id,
    source: 'dock1',
    rule: 'container-health',
    trigger: 0,
    steps: [],
  },
  ending: 'off',
  endedAt,
})

test('[R18] only the latest are remembered and shown: container names may be random', () => {
  const resolvedAlerts = new ResolvedAlerts()
  const resolved = { ...anAlert(), resolvedTime: '2026-01-01T12:00:00Z' }
  for (let n = 0; n <= maxResolved; n++)
    resolvedAlerts.add(`c${n}`, { ...resolvedOf(`c${n}`, n), beganAt: n }, resolved)
  expect([
    resolvedAlerts.size,
    resolvedAlerts.shown.size,
    resolvedAlerts.get('c0'),
    resolvedAlerts.get('c1')?.endedAt,
  ]).toEqual([maxResolved, maxResolved, undefined, 1])
})

test('an alert that ended again counts as one of the latest', () => {
  const resolvedAlerts = new ResolvedAlerts()
  for (let n = 0; n < maxResolved; n++)
    resolvedAlerts.add(`c${n}`, { ...resolvedOf(`c${n}`, n), beganAt: n }, undefined)
  resolvedAlerts.add('c0', { ...resolvedOf('c0', maxResolved), beganAt: 0 }, undefined)
  resolvedAlerts.add('new', { ...resolvedOf('new', maxResolved), beganAt: 0 }, undefined)
  expect([resolvedAlerts.get('c0')?.endedAt, resolvedAlerts.get('c1')]).toEqual([maxResolved, undefined])
})

test('after a restart they are ordered by end, and of duplicates the last counts', () => {
  const resolvedAlerts = new ResolvedAlerts()
  resolvedAlerts.restore([resolvedOf('b', 2_000), resolvedOf('a', 1_000), resolvedOf('b', 500)], 5_000, 0)
  expect(resolvedAlerts.keys()).toEqual(['b', 'a'])
  expect(resolvedAlerts.get('b')).toMatchObject({ endedAt: 500 })
})
