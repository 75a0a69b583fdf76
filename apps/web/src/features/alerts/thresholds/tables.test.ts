import { alertDefaults } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { anAlertConfig } from '../fake-alerts.tsx'
import { defaultTrigger, isFactory, tableOf, tables, withDefault, withFactory } from './tables.ts'

const guests = tableOf('guests')
const cpu = guests.metrics[0]!

describe('[spec 3 §2] the tables of thresholds', () => {
  test('stand in tabs, in order, with their columns', () => {
    expect(
      tables.map(({ tab, title, metrics }) => [tab, title, metrics.map(({ header }) => header).join(', ')]),
    ).toEqual([
      ['proxmox', 'Proxmox Nodes', 'CPU %, Memory %, Disk %, Temp °C'],
      ['proxmox', 'PBS Servers', 'CPU %, Memory %'],
      [
        'proxmox',
        'VMs & Containers',
        'CPU %, Memory %, Disk %, Disk R MB/s, Disk W MB/s, Net In MB/s, Net Out MB/s, Full in (days)',
      ],
      ['proxmox', 'Storage Devices', 'Usage %, Full in (days)'],
      ['proxmox', 'PBS Datastores', 'Usage %, Full in (days)'],
      [
        'mail-gateway',
        'Mail Gateways',
        'Queue Warn, Queue Crit, Deferred Warn, Deferred Crit, Hold Warn, Hold Crit, Oldest Warn (min), Oldest Crit (min), ' +
          'Spam Warn, Spam Crit, Virus Warn, Virus Crit, Growth Warn %, Growth Warn Min, Growth Crit %, Growth Crit Min',
      ],
      ['docker', 'Docker Hosts', ''],
      [
        'docker',
        'Docker Containers',
        'CPU %, Memory %, Restart Count, Restart Window (s), Memory Warn %, Memory Critical %',
      ],
    ])
  })

  test('[spec 3 §4] which resources have a switch, and which an offline control', () => {
    const having = (has: (table: (typeof tables)[number]) => unknown) =>
      tables.filter(has).map(({ kind }) => kind)
    expect(having(({ rowSwitch }) => rowSwitch)).toEqual([
      'pbs',
      'guests',
      'storage',
      'datastores',
      'pmg',
      'dockerContainers',
    ])
    expect(having(({ offline }) => offline?.control === 'switch')).toEqual([
      'nodes',
      'pbs',
      'pmg',
      'dockerHosts',
    ])
    expect(having(({ offline }) => offline?.control === 'severity')).toEqual(['guests', 'dockerContainers'])
  })
})

describe('what all resources of a table inherit', () => {
  test('is written with its clear value', () => {
    const config = withDefault(guests, anAlertConfig(), cpu, 70)
    expect(config.guestDefaults).toEqual({ ...alertDefaults.guestDefaults, cpu: { trigger: 70, clear: 65 } })
    expect(withDefault(guests, config, cpu, 70)).toBe(config)
  })

  test('of containers and mail, figures that stand alone are numbers', () => {
    const [containers, mail] = [tableOf('dockerContainers'), tableOf('pmg')]
    const restarts = containers.metrics.find(({ key }) => key === 'restartCount')!
    expect(withDefault(containers, anAlertConfig(), restarts, 7).dockerDefaults.restartCount).toBe(7)
    expect(withDefault(mail, anAlertConfig(), mail.metrics[0]!, 0).pmgDefaults.queueTotalWarning).toBe(0)
  })

  test('[M 3.6] of storage, the days until full are a number beside the usage', () => {
    const storage = tableOf('storage')
    const [usage, fullIn] = storage.metrics
    const config = withDefault(storage, withDefault(storage, anAlertConfig(), fullIn!, 14), usage!, 70)
    expect([config.storageLimits, config.storageDefault]).toEqual([
      { fullWithin: 14 },
      { trigger: 70, clear: 65 },
    ])
    expect(defaultTrigger(tableOf('datastores'), config, 'fullWithin')).toBe(14)
    expect(withFactory(storage, config)).toEqual(anAlertConfig())
  })

  test('cleared it is as it left the factory', () => {
    const config = withDefault(guests, anAlertConfig(), cpu, 70)
    expect(defaultTrigger(guests, withDefault(guests, config, cpu, undefined), 'cpu')).toBe(80)
  })

  test('of backup servers is what holds for nodes, and edited there', () => {
    const pbs = tableOf('pbs')
    const config = withDefault(tableOf('nodes'), anAlertConfig(), cpu, 70)
    expect(defaultTrigger(pbs, config, 'cpu')).toBe(70)
    expect(withDefault(pbs, config, cpu, 60)).toBe(config)
  })

  test('goes back to the factory with the delays of its metrics, and nothing else', () => {
    const config = anAlertConfig({
      guestDefaults: {
        ...alertDefaults.guestDefaults,
        cpu: { trigger: 1, clear: 0 },
        poweredOffSeverity: 'critical',
      },
      metricTimeThresholds: { guest: { cpu: 9 }, node: { cpu: 9 } },
    })
    const reset = withFactory(guests, config)
    expect(reset).toEqual({
      ...config,
      guestDefaults: { ...alertDefaults.guestDefaults, poweredOffSeverity: 'critical' },
      metricTimeThresholds: { node: { cpu: 9 } },
    })
    expect([isFactory(guests, config), isFactory(guests, reset)]).toEqual([false, true])
    expect(withFactory(guests, reset)).toBe(reset)
  })
})

test.each([
  ['nodes', [80, 85, 90, 80]],
  ['pbs', [80, 85]],
  ['guests', [80, 85, 90, -1, -1, -1, -1, -1]],
  ['storage', [85, 7]],
  ['dockerContainers', [80, 85, 3, 300, 90, 95]],
  ['pmg', [500, 1000, 200, 500, 100, 300, 30, 60, 2000, 5000, 2000, 5000, 25, 250, 50, 500]],
  ['dockerHosts', []],
] as const)('[spec 3 §9] the factory defaults of %s are %j', (kind, triggers) => {
  const table = tableOf(kind)
  expect(table.metrics.map(({ key }) => defaultTrigger(table, alertDefaults, key))).toEqual(triggers)
})

test('[spec 3 §9] backups and snapshots have no thresholds by default, and these days once they do', () => {
  expect(alertDefaults.backupDefaults).toEqual({ enabled: false, warningDays: 7, criticalDays: 14 })
  expect(alertDefaults.snapshotDefaults).toEqual({ enabled: false, warningDays: 30, criticalDays: 45 })
})
