import { describe, expect, test } from 'vitest'
import { delayBounds, scheduleBounds } from './alert-bounds.ts'
import { AlertConfig } from './alert-config.ts'
import { alertDefaults, isOff, newEscalationLevel, scheduleFallbacks, thresholdAt } from './alert-defaults.ts'
import { alertMetrics, containerLimits } from './alert-types.ts'

const triggers = (part: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(part).map(([name, value]) => [
      name,
      typeof value === 'object' ? (value as { trigger: number }).trigger : value,
    ]),
  )

describe('[spec 3 §9] as it leaves the factory', () => {
  test('it is a whole configuration', () => {
    expect(AlertConfig.parse(alertDefaults)).toEqual(alertDefaults)
  })

  test('nothing is shown or sent before an administrator has looked', () =>
    expect(alertDefaults).toMatchObject({
      enabled: true,
      activationState: 'pending_review',
      observationWindowHours: 24,
    }))

  test('guests: CPU 80, memory 85, disk 90, throughput off, switched off is a warning', () =>
    expect(triggers(alertDefaults.guestDefaults)).toEqual({
      cpu: 80,
      memory: 85,
      disk: 90,
      diskRead: -1,
      diskWrite: -1,
      networkIn: -1,
      networkOut: -1,
      fullWithin: -1,
      disableConnectivity: false,
      poweredOffSeverity: 'warning',
    }))

  test('nodes: CPU 80, memory 85, disk 90, temperature 80', () =>
    expect(triggers(alertDefaults.nodeDefaults)).toEqual({ cpu: 80, memory: 85, disk: 90, temperature: 80 }))

  test('containers: CPU 80, memory 85, 3 restarts in 300 s, memory limit 90 and 95', () =>
    expect(triggers(alertDefaults.dockerDefaults)).toEqual({
      cpu: 80,
      memory: 85,
      restartCount: 3,
      restartWindow: 300,
      memoryWarnPct: 90,
      memoryCriticalPct: 95,
    }))

  test('storage 85', () => expect(alertDefaults.storageDefault).toEqual({ trigger: 85, clear: 80 }))

  test('backups 7 and 14 days, snapshots 30 and 45, both off', () => {
    expect(alertDefaults.backupDefaults).toEqual({ enabled: false, warningDays: 7, criticalDays: 14 })
    expect(alertDefaults.snapshotDefaults).toEqual({ enabled: false, warningDays: 30, criticalDays: 45 })
  })

  test('a delay of 5 s for guest, node, storage and pbs', () =>
    expect(alertDefaults.timeThresholds).toEqual({ guest: 5, node: 5, storage: 5, pbs: 5 }))

  test('mail gateways', () =>
    expect(Object.values(alertDefaults.pmgDefaults)).toEqual([
      500, 1000, 30, 60, 200, 500, 100, 300, 2000, 5000, 2000, 5000, 25, 250, 50, 500,
    ]))

  test('what is saved with every change', () =>
    expect(alertDefaults).toMatchObject({
      minimumDelta: 2,
      suppressionWindow: 5,
      hysteresisMargin: 5,
      aggregation: { enabled: true, timeWindow: 10, countThreshold: 3, similarityWindow: 5 },
      flapping: { enabled: true, threshold: 5, window: 10, suppressionTime: 30, minStability: 0.8 },
      ioNormalization: { enabled: true, vmDiskMax: 500, containerDiskMax: 300, networkMax: 1000 },
    }))

  test('the schedule', () => {
    expect(alertDefaults.schedule).toEqual({
      quietHours: {
        enabled: false,
        start: '22:00',
        end: '08:00',
        timezone: 'UTC',
        days: {
          monday: true,
          tuesday: true,
          wednesday: true,
          thursday: true,
          friday: true,
          saturday: false,
          sunday: false,
        },
        suppress: { performance: false, storage: false, offline: false },
      },
      cooldown: 30,
      maxAlertsHour: 3,
      notifyOnResolve: true,
      groupingWindow: 300,
      grouping: { enabled: true, window: 300, byNode: true, byGuest: false },
      escalation: { enabled: false, levels: [] },
    })
    expect(scheduleFallbacks).toEqual({ maxAlertsHour: 10, groupingWindow: 30 })
    expect(newEscalationLevel).toMatchObject({ first: 15, step: 30 })
  })

  test('what is switched on again: throughput 100, temperature 80, restarts 3 in 300 s, limits 90 and 95, others 80', () => {
    const { diskRead, diskWrite, networkIn, networkOut, ...rest } = Object.fromEntries(
      Object.entries({ ...alertMetrics, ...containerLimits }).map(([name, one]) => [name, one.switchedOn]),
    )
    expect([diskRead, diskWrite, networkIn, networkOut]).toEqual([100, 100, 100, 100])
    const { restartCount, restartWindow, memoryWarnPct, memoryCriticalPct, ...others } = rest
    expect([restartCount, restartWindow, memoryWarnPct, memoryCriticalPct]).toEqual([3, 300, 90, 95])
    expect(new Set(Object.values(others))).toEqual(new Set([80]))
  })

  test('it clears 5 below the trigger, never below 0; 0 and less is off', () => {
    expect(thresholdAt(80)).toEqual({ trigger: 80, clear: 75 })
    expect(thresholdAt(3)).toEqual({ trigger: 3, clear: 0 })
    expect([-1, 0, 1].map((trigger) => isOff(thresholdAt(trigger)))).toEqual([true, true, false])
  })
})

describe('[spec 3 §5] bounds', () => {
  test.each([
    [['cpu', 'memory', 'disk', 'usage'], -1, 100],
    [['temperature'], -1, 150],
    [['diskRead', 'diskWrite', 'networkIn', 'networkOut'], -1, 10_000],
    [['restartCount'], -1, 50],
    [['restartWindow'], -1, 86_400],
    [['memoryWarnPct', 'memoryCriticalPct'], -1, 10_000],
  ] as const)('%j from %d to %d', (names, min, max) => {
    const all = { ...alertMetrics, ...containerLimits }
    for (const name of names) expect(all[name], name).toMatchObject({ min, max })
  })

  test('the schedule: cooldown 5 to 120 min, 1 to 10 an hour, grouping 1 to 30 min, escalation after 5 to 180', () =>
    expect(scheduleBounds).toEqual({
      cooldown: { min: 5, max: 120 },
      maxAlertsHour: { min: 1, max: 10 },
      groupingMinutes: { min: 1, max: 30 },
      escalationAfter: { min: 5, max: 180 },
    }))

  test('a delay is never negative', () => expect(delayBounds.min).toBe(0))
})
