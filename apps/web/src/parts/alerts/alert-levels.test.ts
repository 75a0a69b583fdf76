import { anAlert } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { sameLevels, selectAlertLevels } from './alert-levels.ts'

const levels = (...alerts: Parameters<typeof anAlert>[0][]) =>
  Object.fromEntries(
    selectAlertLevels(
      aLive({ activeAlerts: Object.fromEntries(alerts.map((alert, i) => [`a${i}`, anAlert(alert)])) }).store,
    ),
  )

test('[spec 1 §2] critical or warning, by resource; the worst counts, whatever came first', () => {
  expect(
    levels(
      { resourceId: 'a', level: 'warning' },
      { resourceId: 'a', level: 'critical' },
      { resourceId: 'b', level: 'critical' },
      { resourceId: 'b', level: 'warning' },
      { resourceId: 'c', level: 'warning' },
    ),
  ).toEqual({ a: 'critical', b: 'critical', c: 'warning' })
})

test('[spec 1 §2] an acknowledged alert does not mark its row', () => {
  expect(levels({ resourceId: 'a', acknowledged: true, level: 'critical' }, { resourceId: 'a' })).toEqual({
    a: 'warning',
  })
})

test('equal levels keep their identity when other fields of alerts change', () => {
  const one = new Map([['a', 'warning' as const]])
  expect(sameLevels(one, new Map([['a', 'warning']]))).toBe(true)
  expect(sameLevels(one, new Map([['a', 'critical']]))).toBe(false)
  expect(sameLevels(one, new Map())).toBe(false)
  expect(sameLevels(one, new Map([['b', 'warning']]))).toBe(false)
})
