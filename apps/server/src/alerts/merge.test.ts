import { AlertConfigInput, alertDefaults } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { inOrder, mergeAlertConfig } from './merge.ts'

const stored = {
  ...alertDefaults,
  disableAllNodes: true,
  overrides: { a: { disabled: true } },
  metricTimeThresholds: { guest: { cpu: 30 } },
}

describe('[facts/alerts 2.4] absent fields stay as stored', () => {
  test('empty input changes nothing', () => expect(mergeAlertConfig(stored, {})).toEqual(stored))

  test('nested fields are merged one by one', () => {
    const merged = mergeAlertConfig(stored, {
      guestDefaults: { cpu: { trigger: 90, clear: 85 } },
      schedule: { quietHours: { enabled: true, days: { sunday: true } } },
    })
    expect(merged).toEqual({
      ...stored,
      guestDefaults: { ...stored.guestDefaults, cpu: { trigger: 90, clear: 85 } },
      schedule: {
        ...stored.schedule,
        quietHours: {
          ...stored.schedule.quietHours,
          enabled: true,
          days: { ...stored.schedule.quietHours.days, sunday: true },
        },
      },
    })
  })

  test('[spec 3 §5] grouping that is switched off, as pages save it, and on again keeps its window', () => {
    const save = (from: typeof alertDefaults, schedule: object) =>
      mergeAlertConfig(from, AlertConfigInput.parse({ schedule }))
    const wide = save(alertDefaults, { grouping: { window: 720 }, groupingWindow: 720 })
    const off = save(wide, { grouping: { ...wide.schedule.grouping, enabled: false }, groupingWindow: 30 })
    expect(off.schedule.grouping).toMatchObject({ enabled: false, window: 720 })
    const on = save(off, { grouping: { enabled: true } })
    expect([on.schedule.grouping, on.schedule.groupingWindow]).toEqual([wide.schedule.grouping, 720])
  })

  test('false and 0 are values, not absent', () =>
    expect(mergeAlertConfig(stored, { disableAllNodes: false, timeThreshold: 0 })).toMatchObject({
      disableAllNodes: false,
      timeThreshold: 0,
    }))

  test('lists and maps are replaced', () =>
    expect(mergeAlertConfig(stored, { overrides: {}, metricTimeThresholds: {} })).toMatchObject({
      overrides: {},
      metricTimeThresholds: {},
    }))
})

test('both names of the grouping window have the same value', () =>
  expect(mergeAlertConfig(stored, { schedule: { grouping: { window: 120 } } }).schedule).toMatchObject({
    groupingWindow: 120,
    grouping: { window: 120 },
  }))

test.each([
  [7, 14, 7, 14],
  [20, 14, 14, 14],
  [7, 0, 7, 7],
  [0, 14, 0, 14],
  [0, 0, 0, 0],
])('[spec 3 §4] days %d and %d are %d and %d', (warningDays, criticalDays, warning, critical) =>
  expect(inOrder({ enabled: true, warningDays, criticalDays })).toEqual({
    enabled: true,
    warningDays: warning,
    criticalDays: critical,
  }),
)
