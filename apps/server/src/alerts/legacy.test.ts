import { expect, test } from 'vitest'
import { legacyAlerts } from './legacy.ts'

test('alert settings of Pulse 4.x are imported field by field, and invalid ones are named', () => {
  const { taken, notes } = legacyAlerts.take({
    enabled: true,
    activationState: 'active',
    hysteresisMargin: 10,
    guestDefaults: { cpu: { trigger: 85, clear: 80 }, poweredOffSeverity: '' },
    nodeDefaults: { cpuLegacy: 90, temperature: { trigger: 500, clear: 1 } },
    storageDefault: 80,
    timeThresholds: { guest: 10, node: 10, storage: 10, pbs: 10 },
    dockerIgnoredContainerPrefixes: null,
    schedule: { cooldown: 2, maxAlertsHour: 10, quietHours: { timezone: 'Mars/Olympus' } },
    overrides: {
      'alpha-pve1-100': { cpu: { trigger: 95, clear: 90 } },
      'alpha-pve1-101': { cpu: { trigger: 300, clear: 90 } },
    },
    telemetry: { on: true },
  })
  expect(taken).toEqual({
    enabled: true,
    activationState: 'active',
    hysteresisMargin: 10,
    guestDefaults: { cpu: { trigger: 85, clear: 80 } },
    storageDefault: { trigger: 80, clear: 70 },
    timeThresholds: { guest: 10, node: 10, storage: 10, pbs: 10 },
    schedule: { maxAlertsHour: 10 },
    overrides: { 'alpha-pve1-100': { cpu: { trigger: 95, clear: 90 } } },
  })
  expect(notes).toEqual([
    'Invalid alert settings were left out: "nodeDefaults", "schedule.cooldown", "schedule.quietHours", "overrides.alpha-pve1-101".',
  ])
})

test.each([undefined, null, {}, [], 'x'])('of %j nothing is taken', (value) =>
  expect(legacyAlerts.take(value)).toEqual({ taken: undefined, notes: [] }),
)

test('[facts/alerts 2.4] without an activation state, an installation with overrides has active alerts', () => {
  const state = (value: object) => legacyAlerts.take(value).taken?.activationState
  expect(state({ enabled: true, overrides: { a: { disabled: true } } })).toBe('active')
  expect(state({ overrides: { a: { disabled: true } }, activationState: 'snoozed' })).toBe('snoozed')
  expect(state({ enabled: true, overrides: {} })).toBeUndefined()
})
