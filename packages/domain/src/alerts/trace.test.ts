import { aDockerHost, aGuest, aMailGateway, aPbsServer, aStorage } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { anEngine, settings } from './fixtures.ts'
import { subjects } from './rules/index.ts'

const CPU = 'main:100-cpu'
const busy = (cpu: number) => ({ guests: [aGuest({ cpu })] })

test('a resource is explained in full, by each of its names', () => {
  const { tell, explain } = anEngine()
  tell('main', busy(0.5))
  const types = (what: string) => explain(what).map(({ type, state }) => `${type} ${state}`)
  expect(types('main-pve1-100')).toEqual([
    'cpu normal',
    'memory normal',
    'diskRead off',
    'diskWrite off',
    'networkIn off',
    'networkOut off',
    'disk normal',
    'full-within off',
    'powered-off normal',
  ])
  expect(types('main:100')).toEqual(types('main-pve1-100'))
  expect(types('guest:main:100')).toEqual(types('main-pve1-100'))
  expect(explain('unheard')).toEqual([])
})

test('value, threshold with its origin, delay with the elapsed time, and the log of decisions', () => {
  const { tell, poll, pass, trace, acknowledge } = anEngine()
  tell('main', busy(0.85))
  pass(3_000)
  expect(trace('main:100', CPU)).toEqual({
    alertId: CPU,
    type: 'cpu',
    resourceId: 'main-pve1-100',
    resourceName: 'vm-100',
    state: 'pending',
    value: 85,
    unit: '%',
    threshold: { trigger: 80, clear: 75, origin: { from: 'defaults', name: 'guestDefaults' } },
    level: 'warning',
    delay: { seconds: 5, passedSeconds: 3, origin: { from: 'defaults', name: 'timeThresholds.guest' } },
    since: '2026-01-01T12:00:00.000Z',
    evaluatedAt: '2026-01-01T12:00:00.000Z',
    steps: [],
  })
  poll('main', busy(0.86))
  acknowledge(CPU)
  expect(trace(CPU, CPU)).toMatchObject({ state: 'active', value: 86 })
  expect(trace(CPU, CPU)!.steps).toEqual([
    '2026-01-01T12:00:13.000Z Raised: CPU of vm-100 is at 86% (threshold 80%).',
    '2026-01-01T12:00:13.000Z ann acknowledged it.',
  ])
  poll('main', busy(0.77))
  expect(trace(CPU, CPU)).toMatchObject({ state: 'clearing' })
  poll('main', busy(0.1))
  expect(trace(CPU, CPU)).toMatchObject({ state: 'normal', value: 10 })
  expect(trace(CPU, CPU)!.steps.at(-1)).toContain('Cleared.')
})

test('a container host, a datastore and an alert without its record have a trace too', () => {
  const { tell, poll, explain } = anEngine()
  const docker = { kind: 'docker', name: 'docker-dock1' } as const
  tell('source-1', { dockerHosts: [aDockerHost({ source: 'source-1' })] }, docker)
  for (const what of ['dock1', 'docker:dock1', 'dockerHost:source-1'])
    expect(explain(what)).toMatchObject([{ alertId: 'docker-host-offline-dock1', state: 'normal' }])
  const datastore = { server: 'pbs-backup', name: 'main', status: 'available', source: 'backup', usage: 50 }
  tell('backup', { pbs: [aPbsServer()], datastores: [datastore] }, { kind: 'pbs' })
  expect(explain('pbs-backup-main').map(({ type }) => type)).toEqual(['offline', 'usage', 'full-within'])
  expect(explain('pbs-backup').map(({ type }) => type)).toContain('offline')
  tell('main', busy(0.9))
  poll('main', busy(0.9))
  poll('main', { guests: [] })
  expect(explain(CPU)).toMatchObject([{ state: 'normal', reason: 'It is no longer there.' }])
})

test('the number of checks that confirmed a condition', () => {
  const { tell, trace } = anEngine()
  tell('main', { guests: [aGuest({ status: 'stopped' })] })
  expect(trace('main:100', 'guest-powered-off-main:100')).toMatchObject({
    state: 'pending',
    confirmations: { needed: 2, seen: 1 },
  })
})

test('why it is critical: the limit it passed, a setting, or its type alone', () => {
  const { tell, poll, trace, configure } = anEngine()
  tell('main', busy(0.85))
  expect(trace('main:100', CPU)).not.toHaveProperty('criticalBy')
  poll('main', busy(0.93))
  const origin = { from: 'defaults', name: 'guestDefaults' }
  expect(trace('main:100', CPU)).toMatchObject({ level: 'critical', criticalBy: { at: 90, origin } })
  configure({ overrides: { 'guest:main:100': { poweredOffSeverity: 'critical' } } })
  tell('main', { guests: [aGuest({ status: 'stopped' })] })
  expect(trace('main:100', 'guest-powered-off-main:100')!.criticalBy).toEqual({
    origin: { from: 'override', name: 'guest:main:100' },
  })
  const docker = { kind: 'docker', name: 'docker-dock1' } as const
  tell('source-1', { dockerHosts: [aDockerHost({ source: 'source-1', status: 'offline' })] }, docker)
  expect(trace('dock1', 'docker-host-offline-dock1')).toMatchObject({ level: 'critical', criticalBy: {} })
})

test('the reason why no alert fires', () => {
  const { tell, trace, configure } = anEngine()
  tell('main', busy(0.99))
  configure({ disableAllGuests: true })
  expect(trace('main:100', CPU)).toMatchObject({ state: 'off', reason: 'Alerts of guests are switched off.' })
  configure({ disableAllGuests: false, overrides: { 'guest:main:100': { cpu: { trigger: 0, clear: 0 } } } })
  expect(trace('main:100', CPU)).toMatchObject({ state: 'off', reason: 'Its threshold is switched off.' })
})

test('the trace follows the rule: another rule, another trace', () => {
  const { tell, trace, configure, estate, moment } = anEngine()
  tell('main', busy(0.85))
  configure({ overrides: { 'guest:main:100': { cpu: { trigger: 60, clear: 50 } } } })
  expect(trace('main:100', CPU)!.threshold).toEqual({
    trigger: 60,
    clear: 50,
    origin: { from: 'override', name: 'guest:main:100' },
  })
  expect(estate.tables.guests.size).toBe(1)
  expect(moment().monotonic).toBe(0)
})

test('a request for the trace changes nothing', () => {
  const { tell, explain, poll, said, engine, moment } = anEngine(settings())
  tell('main', { ...busy(0.85), storage: [aStorage({ usage: 90 })] })
  tell('mail', { pmg: [aMailGateway()] }, { kind: 'pmg' })
  const before = JSON.stringify(engine.snapshot(moment()))
  for (let round = 0; round < 20; round++)
    for (const what of ['main:100', 'main-pve1-local', 'pmg-mail', CPU]) explain(what)
  expect(JSON.stringify(engine.snapshot(moment()))).toBe(before)
  expect(said).toEqual([])
  poll('main', busy(0.5))
  expect(said.filter(({ stored }) => stored.kind === 'guests')).toEqual([])
})

test('every rule has a name of its own, and every kind one subject', () => {
  const names = subjects.flatMap(({ rules }) => rules.map(({ name }) => name))
  expect(new Set(names).size).toBe(names.length)
  expect(new Set(subjects.map(({ kind }) => kind)).size).toBe(subjects.length)
})
