import { systemDefaults } from '@pulse/contract'
import { expect, test } from 'vitest'
import { toPace } from './pace.ts'

test('a machine whose owner wants no pools asked about says so to every source', () => {
  expect(toPace(systemDefaults, 'pve', true)).toMatchObject({ withoutZfs: true })
})

test('[platform 11] every setting of polling reaches the collectors', () => {
  expect(toPace(systemDefaults, 'pve')).toEqual({
    hostMs: 60_000,
    timeoutMs: 60_000,
    backupsMs: 90_000,
  })
  const settings = {
    ...systemDefaults,
    pbsPollingInterval: 20,
    pmgPollingInterval: 30,
    connectionTimeout: 5,
    backupPollingInterval: 900,
    adaptivePollingEnabled: true,
    adaptivePollingBaseInterval: 40,
    adaptivePollingMinInterval: 20,
    adaptivePollingMaxInterval: 90,
  }
  const adaptive = { baseMs: 40_000, minMs: 20_000, maxMs: 90_000 }
  expect(toPace(settings, 'pbs')).toEqual({
    hostMs: 20_000,
    timeoutMs: 5_000,
    backupsMs: 900_000,
    adaptive,
  })
  expect(toPace(settings, 'pmg')).toMatchObject({ hostMs: 30_000 })
  expect(toPace({ ...settings, backupPollingEnabled: false }, 'pbs')).not.toHaveProperty('backupsMs')
})
