import { type AlertConfig, type AlertOverride, disableSwitches } from '@pulse/contract'
import {
  aCephCluster,
  aDisk,
  aDockerContainer,
  aDockerHost,
  aGuest,
  aMailGateway,
  aNode,
  aPbsServer,
  aStorage,
} from '@pulse/testkit'
import { expect, test } from 'vitest'
import { settings } from './fixtures.ts'
import { createPolicies } from './policy.ts'

const policies = (change: Partial<AlertConfig> = {}) => createPolicies(settings(change), () => true)
const guest = (change: Partial<AlertConfig> = {}) => policies(change).of('guests', 'main:100', aGuest())
const override = (values: AlertOverride) => ({ overrides: { 'guest:main:100': values } })
const rule = (name: string, priority: number, thresholds: AlertOverride, more = {}) => ({
  id: name,
  name,
  filterConditions: { filters: [], logicalOperator: 'AND' as const },
  thresholds,
  priority,
  enabled: true,
  ...more,
})

test('[spec 3 §9] without settings the factory defaults apply', () => {
  const triggers = ({ thresholds }: ReturnType<typeof guest>) =>
    Object.fromEntries(
      Object.entries(thresholds).map(([metric, { trigger, clear }]) => [metric, [trigger, clear]]),
    )
  expect(triggers(guest())).toEqual({
    cpu: [80, 75],
    memory: [85, 80],
    disk: [90, 85],
    diskRead: [-1, 0],
    diskWrite: [-1, 0],
    networkIn: [-1, 0],
    networkOut: [-1, 0],
  })
  expect(triggers(policies().of('nodes', 'main:pve1', aNode()))).toEqual({
    cpu: [80, 75],
    memory: [85, 80],
    disk: [90, 85],
    temperature: [80, 75],
  })
  expect(triggers(policies().of('storage', 'main:pve1:local', aStorage()))).toEqual({ usage: [85, 80] })
  expect(triggers(policies().of('dockerContainers', 'dock1:web', aDockerContainer()))).toEqual({
    cpu: [80, 75],
    memory: [85, 80],
  })
  const figures = policies().of('dockerContainers', 'dock1:web', aDockerContainer()).figures
  expect(Object.entries(figures).map(([name, { value }]) => [name, value])).toEqual([
    ['restartCount', 3],
    ['restartWindow', 300],
    ['memoryWarnPct', 90],
    ['memoryCriticalPct', 95],
  ])
  expect(guest().offline).toMatchObject({ off: undefined, level: 'warning' })
})

test('each value is inherited separately: override, then rule, then defaults', () => {
  const { thresholds, offline } = guest({
    ...override({ cpu: { trigger: 50, clear: 45 } }),
    customRules: [rule('web', 1, { cpu: { trigger: 60, clear: 55 }, memory: { trigger: 70, clear: 65 } })],
  })
  expect(thresholds.cpu).toEqual({
    trigger: 50,
    clear: 45,
    origin: { from: 'override', name: 'guest:main:100' },
  })
  expect(thresholds.memory).toEqual({ trigger: 70, clear: 65, origin: { from: 'rule', name: 'web' } })
  expect(thresholds.disk).toEqual({
    trigger: 90,
    clear: 85,
    origin: { from: 'defaults', name: 'guestDefaults' },
  })
  expect(offline.origin).toEqual({ from: 'defaults', name: 'guestDefaults' })
})

test('the matching enabled rule with the highest priority applies', () => {
  const at = (trigger: number) => ({ cpu: { trigger, clear: trigger - 5 } })
  const filters = (field: string, operator: string, value: unknown) => ({
    filterConditions: { filters: [{ type: 'metric', field, operator, value }], logicalOperator: 'AND' },
  })
  const customRules = [
    rule('low', 1, at(10)),
    rule('high', 3, at(30)),
    rule('off', 9, at(90), { enabled: false }),
    rule('elsewhere', 8, at(80), filters('cpu', '>', 50)),
  ] as AlertConfig['customRules']
  expect(guest({ customRules }).thresholds.cpu!.trigger).toBe(30)
})

test('without a clear value it clears the margin below the trigger, never above it', () => {
  expect(guest(override({ cpu: { trigger: 50, clear: 0 } })).thresholds.cpu).toMatchObject({ clear: 45 })
  expect(guest(override({ cpu: { trigger: 50, clear: 60 } })).thresholds.cpu).toMatchObject({ clear: 50 })
  // [facts/alerts 3.2.5] the margin does not fit below the trigger, so it clears right below it
  expect(guest(override({ cpu: { trigger: 3, clear: 0 } })).thresholds.cpu).toMatchObject({ clear: 3 })
})

test('the offline setting is inherited field by field: an override of a threshold does not change it', () => {
  const guestDefaults = {
    ...settings().guestDefaults,
    disableConnectivity: true,
    poweredOffSeverity: 'critical' as const,
  }
  const cpu = { trigger: 50, clear: 45 }
  expect(guest({ guestDefaults, ...override({ cpu }) }).offline).toMatchObject({
    off: expect.any(String),
    level: 'critical',
  })
  expect(guest({ guestDefaults, ...override({ disableConnectivity: false }) }).offline).toMatchObject({
    off: undefined,
    level: 'critical',
  })
  // Setting a level switches the alert on.
  expect(guest({ guestDefaults, ...override({ poweredOffSeverity: 'warning' }) }).offline).toMatchObject({
    off: undefined,
    level: 'warning',
  })
})

const one = {
  Nodes: ['nodes', 'main:pve1', aNode()],
  Guests: ['guests', 'main:100', aGuest()],
  Storage: ['storage', 'main:pve1:local', aStorage()],
  Datastores: [
    'datastores',
    'backup:main',
    { server: 'pbs-backup', name: 'main', status: 'available', source: 'backup' },
  ],
  Disks: ['physicalDisks', 'd', aDisk()],
  Ceph: ['cephClusters', 'c', aCephCluster()],
  PBS: ['pbs', 'backup', aPbsServer()],
  PMG: ['pmg', 'mail', aMailGateway()],
  DockerHosts: ['dockerHosts', 'dock1', aDockerHost()],
  DockerContainers: ['dockerContainers', 'dock1:web', aDockerContainer()],
} as const

test.each(disableSwitches)('[spec 3 §3] %s switches off what it names, and nothing else', (name) => {
  const isOffline = name.endsWith('Offline')
  const what = name.slice('disableAll'.length, isOffline ? -'Offline'.length : undefined)
  const set = policies({ [name]: true })
  for (const [kind, [of, key, record]] of Object.entries(one)) {
    const { off, offline } = set.of(of, key, record)
    expect([kind, off !== undefined]).toEqual([kind, kind === what && !isOffline])
    expect([kind, offline.off !== undefined]).toEqual([kind, kind === what && isOffline])
  }
})

test('conditions of another table ignore the switch of the guests', () => {
  expect(guest({ disableAllGuests: true }).ownOff).toBeUndefined()
  expect(guest(override({ disabled: true })).ownOff).toBeDefined()
  expect(guest({ enabled: false }).ownOff).toBeDefined()
})

test('[spec 3 §4] the switch for a kind takes precedence over overrides', () => {
  expect(guest({ disableAllGuests: true, ...override({ disabled: false }) }).off).toBeDefined()
  expect(guest(override({ disabled: true })).off).toBeDefined()
})
