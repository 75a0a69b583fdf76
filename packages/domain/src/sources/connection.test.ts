import { expect, test } from 'vitest'
import { switchedOff } from './connection.ts'

test('[spec 2 §9] what was not chosen has its default: disks and mail by domain are off', () => {
  expect(switchedOff({ kind: 'pve', flags: {} }, true)).toEqual(['monitorPhysicalDisks'])
  expect(switchedOff({ kind: 'pbs', flags: {} }, true)).toEqual([])
  expect(switchedOff({ kind: 'pmg', flags: {} }, true)).toEqual(['monitorDomainStats'])
})

test('what was chosen counts, and only switches of its own kind do', () => {
  const flags = { monitorDomainStats: true, monitorQueues: false, monitorBackups: false }
  expect(switchedOff({ kind: 'pmg', flags }, true)).toEqual(['monitorQueues'])
})

test('where the settings say that no backups are asked for, each source says so', () => {
  expect(switchedOff({ kind: 'pbs', flags: {} }, false)).toEqual(['backupPolling'])
})
