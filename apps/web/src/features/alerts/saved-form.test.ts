import { expect, test } from 'vitest'
import { anAlertConfig } from './fake-alerts.tsx'
import { clampDays, toSaved } from './saved-form.ts'

test.each([
  { warning: 7, critical: 14, saved: [7, 14] },
  { warning: 20, critical: 14, saved: [14, 14] },
  { warning: 7, critical: 0, saved: [7, 7] },
  { warning: 0, critical: 0, saved: [0, 0] },
  { warning: 0, critical: 14, saved: [0, 14] },
  { warning: -3, critical: -1, saved: [0, 0] },
])('[spec 3 §4] $warning and $critical days are saved as $saved', ({ warning, critical, saved }) => {
  const { warningDays, criticalDays } = clampDays({
    enabled: true,
    warningDays: warning,
    criticalDays: critical,
  })
  expect([warningDays, criticalDays]).toEqual(saved)
})

test('[spec 3 §4] figures of mail are saved as whole numbers of at least 0', () => {
  const { pmgDefaults } = anAlertConfig()
  const saved = toSaved(
    anAlertConfig({ pmgDefaults: { ...pmgDefaults, queueTotalWarning: 12.6, holdQueueWarn: -4 } }),
  )
  expect(saved.pmgDefaults).toEqual({ ...pmgDefaults, queueTotalWarning: 13, holdQueueWarn: 0 })
})

test('whether alerts are active is not part of what is saved', () => {
  expect(Object.keys(toSaved(anAlertConfig()))).not.toContain('activationState')
})
