import { anAlert } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { GoneAlerts, mostGone } from './resolved-alerts.ts'
import type { StoredGone } from './stored.ts'

const goneOf = (id: string, endedAt: number): StoredGone => ({
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

test('[R18] of very many the latest are remembered, and shown: containers may have another name each time', () => {
  const gone = new GoneAlerts()
  const resolved = { ...anAlert(), resolvedTime: '2026-01-01T12:00:00Z' }
  for (let n = 0; n <= mostGone; n++) gone.add(`c${n}`, { ...goneOf(`c${n}`, n), beganAt: n }, resolved)
  expect([gone.size, gone.shown.size, gone.get('c0'), gone.get('c1')?.endedAt]).toEqual([
    mostGone,
    mostGone,
    undefined,
    1,
  ])
})

test('what ended again is one of the latest', () => {
  const gone = new GoneAlerts()
  for (let n = 0; n < mostGone; n++) gone.add(`c${n}`, { ...goneOf(`c${n}`, n), beganAt: n }, undefined)
  gone.add('c0', { ...goneOf('c0', mostGone), beganAt: 0 }, undefined)
  gone.add('new', { ...goneOf('new', mostGone), beganAt: 0 }, undefined)
  expect([gone.get('c0')?.endedAt, gone.get('c1')]).toEqual([mostGone, undefined])
})

test('after a restart the order is that of their ends, and what is named twice is as it was named last', () => {
  const gone = new GoneAlerts()
  gone.restore([goneOf('b', 2_000), goneOf('a', 1_000), goneOf('b', 500)], 5_000, 0)
  expect(gone.keys()).toEqual(['b', 'a'])
  expect(gone.get('b')).toMatchObject({ endedAt: 500 })
})
