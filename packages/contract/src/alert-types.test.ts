import { expect, test } from 'vitest'
import { alertMetricNames, alertTypeOf, alertTypeText, hasDelay, metricsOfKind } from './alert-types.ts'

test('a type has its category, and one that is not known counts as performance', () => {
  expect(
    ['usage', 'backup-age', 'offline', 'cpu', 'unheard-of', 'constructor'].map(
      (type) => alertTypeOf(type).category,
    ),
  ).toEqual(['storage', 'storage', 'offline', 'performance', 'performance', 'performance'])
})

test('a type without a label is its name as words', () =>
  expect(['memory', 'backup-age', 'zfs-device', 'docker-container-oom-kill'].map(alertTypeText)).toEqual([
    'Memory',
    'Backup age',
    'ZFS device',
    'Docker container OOM kill',
  ]))

test('every metric has a threshold for some kind of record', () =>
  expect(new Set(Object.values(metricsOfKind).flat())).toEqual(new Set(alertMetricNames)))

test('a limit that counts within a window has no delay', () => {
  expect(
    ['restartCount', 'restartWindow', 'memoryWarnPct', 'memoryCriticalPct', 'cpu'].filter(hasDelay),
  ).toEqual(['memoryWarnPct', 'memoryCriticalPct', 'cpu'])
})
