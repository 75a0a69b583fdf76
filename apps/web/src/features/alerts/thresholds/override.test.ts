import { type AlertOverride, overrideKey } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { anAlertConfig } from '../fake-alerts.tsx'
import {
  editOverride,
  nextOfflineState,
  offlineState,
  removeOverride,
  withDisabled,
  withOfflineState,
  withOfflineOff,
  withTrigger,
} from './override.ts'

const key = overrideKey('guests', 'main:100')
const metric = { key: 'cpu' }
const cpu = (trigger: number | undefined) => (override: AlertOverride) =>
  withTrigger(override, metric, trigger, 80)

describe('[spec 3 §4] an override', () => {
  test('comes with the first value that differs, with a clear value of 5 less', () => {
    expect(editOverride(anAlertConfig(), key, cpu(95)).overrides).toEqual({
      'guest:main:100': { cpu: { trigger: 95, clear: 90 } },
    })
  })

  test('goes with the last one, cleared or set to what is inherited', () => {
    const config = anAlertConfig({ overrides: { 'guest:main:100': { cpu: { trigger: 95, clear: 90 } } } })
    expect(editOverride(config, key, cpu(undefined)).overrides).toEqual({})
    expect(editOverride(config, key, cpu(80)).overrides).toEqual({})
    expect(removeOverride(config, key).overrides).toEqual({})
  })

  test('a figure that stands alone is kept as a number', () => {
    const restarts = { key: 'restartCount', alone: true } as const
    const edited = editOverride(anAlertConfig(), key, (one) => withTrigger(one, restarts, 7, 3))
    expect(edited.overrides[key]).toEqual({ restartCount: 7 })
  })

  test('stays while a flag is set', () => {
    const config = anAlertConfig({
      overrides: { 'guest:main:100': { cpu: { trigger: 95, clear: 90 }, disabled: true } },
    })
    expect(editOverride(config, key, cpu(80)).overrides).toEqual({ 'guest:main:100': { disabled: true } })
  })

  test('an edit that changes nothing is none', () => {
    const config = anAlertConfig({ overrides: { 'guest:main:100': { cpu: { trigger: 95, clear: 60 } } } })
    expect(editOverride(config, key, cpu(95))).toBe(config)
    expect(editOverride(anAlertConfig(), key, cpu(80)).overrides).toEqual({})
  })

  test('switched on again it leaves no override', () => {
    const off = editOverride(anAlertConfig(), key, (one) => withDisabled(one, true))
    expect(editOverride(off, key, (one) => withDisabled(one, false)).overrides).toEqual({})
    const withoutOffline = editOverride(anAlertConfig(), key, (one) => withOfflineOff(one, true))
    expect(withoutOffline.overrides).toEqual({ 'guest:main:100': { disableConnectivity: true } })
    expect(editOverride(withoutOffline, key, (one) => withOfflineOff(one, false)).overrides).toEqual({})
  })
})

describe('[spec 3 §4] the offline control of guests and containers', () => {
  test('goes from off to warning to critical to off', () => {
    expect((['off', 'warning', 'critical'] as const).map(nextOfflineState)).toEqual([
      'warning',
      'critical',
      'off',
    ])
  })

  test.each([
    { own: undefined, inherited: {}, state: 'warning' },
    { own: undefined, inherited: { poweredOffSeverity: 'critical' }, state: 'critical' },
    { own: undefined, inherited: { disableConnectivity: true }, state: 'off' },
    { own: { disableConnectivity: false }, inherited: { disableConnectivity: true }, state: 'warning' },
    { own: { cpu: { trigger: 95, clear: 90 } }, inherited: { disableConnectivity: true }, state: 'off' },
    { own: { poweredOffSeverity: 'critical' }, inherited: {}, state: 'critical' },
    // as on the server: setting a level enables the alert
    { own: { poweredOffSeverity: 'critical' }, inherited: { disableConnectivity: true }, state: 'critical' },
  ] as const)('inherits field by field: $own over $inherited is $state', ({ own, inherited, state }) => {
    expect(offlineState(own, inherited)).toBe(state)
  })

  test.each([
    { inherited: {}, state: 'warning', override: {} },
    { inherited: {}, state: 'critical', override: { poweredOffSeverity: 'critical' } },
    { inherited: {}, state: 'off', override: { disableConnectivity: true } },
    { inherited: { disableConnectivity: true }, state: 'off', override: {} },
    {
      inherited: { disableConnectivity: true },
      state: 'warning',
      override: { poweredOffSeverity: 'warning', disableConnectivity: false },
    },
    {
      inherited: { poweredOffSeverity: 'critical' },
      state: 'warning',
      override: { poweredOffSeverity: 'warning' },
    },
  ] as const)(
    '$state where $inherited is inherited is kept as $override',
    ({ inherited, state, override }) => {
      const before: AlertOverride = { poweredOffSeverity: 'critical', disableConnectivity: true }
      expect(withOfflineState(before, state, inherited)).toEqual(override)
      expect(offlineState(override, inherited)).toBe(state)
    },
  )

  test('equal to what holds for all and nothing else: the override goes', () => {
    const config = anAlertConfig({ overrides: { 'guest:main:100': { poweredOffSeverity: 'critical' } } })
    const edited = editOverride(config, key, (one) => withOfflineState(one, 'warning', config.guestDefaults))
    expect(edited.overrides).toEqual({})
  })
})
