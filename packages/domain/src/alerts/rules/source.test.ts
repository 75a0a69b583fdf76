import { aDockerContainer, aDockerHost, aMailGateway, aNode, aPbsServer } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { events, anEngine, minuteMs, settings } from '../fixtures.ts'

const pbs = { kind: 'pbs', name: 'pbs-backup' } as const
const pmg = { kind: 'pmg', name: 'pmg-mail' } as const
const docker = { kind: 'docker', name: 'docker-dock1' } as const

test('[spec 3 §2] an unreachable backup server is critical after three checks, and its figure alerts end', () => {
  const { tell, poll, silence, pass, open, alert, said } = anEngine()
  const server = { pbs: [aPbsServer({ cpu: 0.95 })] }
  tell('backup', server, pbs)
  poll('backup', server, pbs)
  expect(open()).toEqual(['backup-cpu'])
  silence('backup', { pbs: [aPbsServer({ cpu: 0.95, connectionHealth: 'error', staleSince: 1 })] }, pbs)
  pass(19_000)
  expect(open()).toEqual(['backup-cpu'])
  pass(1_000)
  expect(open()).toEqual(['pbs-offline-backup'])
  expect(alert('pbs-offline-backup')).toMatchObject({
    type: 'offline',
    level: 'critical',
    resourceId: 'pbs-backup',
    resourceName: 'backup',
    node: 'https://backup.example:8007',
    instance: 'backup',
    metadata: { resourceType: 'PBS' },
  })
  said.length = 0
  tell('backup', server, pbs)
  expect(events(said)).toEqual(['resolved pbs-offline-backup'])
  poll('backup', server, pbs)
  expect(open()).toEqual(['backup-cpu'])
})

test('[spec 3 §9] its CPU and memory are judged like those of nodes', () => {
  const { tell, poll, alert } = anEngine()
  const server = { pbs: [aPbsServer({ cpu: 0.8, memory: 84 })] }
  tell('backup', server, pbs)
  poll('backup', server, pbs)
  expect(alert('backup-cpu')).toMatchObject({ threshold: 80 })
  expect(alert('backup-memory')).toBeUndefined()
})

test('a source that has never answered since the start fires too', () => {
  for (const [state, id, name] of [
    [pbs, 'pbs-offline-s', 'backup'],
    [pmg, 'pmg-offline-s', 'mail'],
    [{ kind: 'pve', name: 'main' }, 'node-offline-s', 'main'],
  ] as const) {
    const { pass, open, alert, estate, engine, moment } = anEngine()
    const sources = new Map([['s', { ...state, health: 'error', error: 'no route' } as const]])
    engine.apply(estate.observe('s', { sources }), moment())
    pass(20_000)
    expect(open()).toEqual([id])
    // by the name that users gave it
    expect(alert(id)).toMatchObject({ resourceName: name, instance: name })
  }
})

test('a cluster that has answered is reported by its nodes alone', () => {
  const { tell, silence, pass, open } = anEngine()
  tell('main', { nodes: [aNode()] })
  silence('main', { nodes: [aNode({ connectionHealth: 'error', staleSince: 1 })] })
  pass(minuteMs)
  expect(open()).toEqual(['node-offline-main:pve1'])
})

test('an answer starts the count again: a flapping source is not unreachable', () => {
  const { tell, silence, pass, said } = anEngine()
  for (let round = 0; round < 20; round++) {
    silence('mail', { pmg: [aMailGateway()] }, pmg)
    pass(15_000)
    tell('mail', { pmg: [aMailGateway()] }, pmg)
    pass(15_000)
  }
  expect(said).toEqual([])
})

const report = (change: Parameters<typeof aDockerContainer>[0] = {}, stale = {}) => ({
  dockerHosts: [aDockerHost({ ...stale, status: 'staleSince' in stale ? 'offline' : 'online' })],
  dockerContainers: [aDockerContainer({ ...change, ...stale })],
})

test('[spec 3 §4] a container host whose agent does not report is critical, and its containers raise no alerts', () => {
  const { tell, silence, pass, open, alert } = anEngine()
  tell('dock1', report({ state: 'exited' }), docker)
  pass(30_000)
  tell('dock1', report({ state: 'exited' }), docker)
  expect(open()).toEqual(['docker-container-state-dock1:web'])
  silence('dock1', report({ state: 'exited' }, { staleSince: 1 }), docker)
  pass(20_000)
  expect(open()).toEqual(['docker-host-offline-dock1'])
  expect(alert('docker-host-offline-dock1')).toMatchObject({
    type: 'docker-host-offline',
    level: 'critical',
    resourceId: 'docker:dock1',
    metadata: { resourceType: 'DockerHost' },
  })
  tell('dock1', report({ state: 'exited' }), docker)
  pass(30_000)
  tell('dock1', report({ state: 'exited' }), docker)
  expect(open()).toEqual(['docker-container-state-dock1:web'])
})

test('with offline alerts of a host switched off, the alerts of its containers end all the same', () => {
  const { tell, silence, pass, open } = anEngine(settings({ disableAllDockerHostsOffline: true }))
  tell('dock1', report({ state: 'exited' }), docker)
  pass(30_000)
  tell('dock1', report({ state: 'exited' }), docker)
  expect(open()).toHaveLength(1)
  silence('dock1', report({ state: 'exited' }, { staleSince: 1 }), docker)
  pass(30_000)
  expect(open()).toEqual([])
})

test('a host that has not reported yet is not unreachable', () => {
  const { silence, pass, open } = anEngine()
  silence('dock1', report({}, { staleSince: 1 }), { ...docker, health: 'unknown' })
  pass(minuteMs)
  expect(open()).toEqual([])
})

test('a hidden host, or one that is being uninstalled, does not fire', () => {
  for (const change of [{ hidden: true }, { pendingUninstall: true }]) {
    const { silence, pass, open } = anEngine()
    silence('dock1', { dockerHosts: [aDockerHost({ status: 'offline', ...change })] }, docker)
    pass(minuteMs)
    expect(open()).toEqual([])
  }
})

test.each([
  ['disableAllPBSOffline', pbs, 'backup', { pbs: [aPbsServer()] }],
  ['disableAllPMGOffline', pmg, 'mail', { pmg: [aMailGateway()] }],
  ['disableAllDockerHostsOffline', docker, 'dock1', { dockerHosts: [aDockerHost()] }],
  ['disableAllPBS', pbs, 'backup', { pbs: [aPbsServer()] }],
] as const)('[spec 3 §3] %s', (name, state, source, lists) => {
  const { silence, pass, open, configure } = anEngine()
  silence(source, lists, state)
  pass(minuteMs)
  expect(open()).toHaveLength(1)
  configure({ [name]: true })
  expect(open()).toEqual([])
  pass(minuteMs)
  expect(open()).toEqual([])
  configure({ [name]: false })
  pass(minuteMs)
  expect(open()).toHaveLength(1)
})

test.each([
  ['pbs-offline-backup', 'pbs:backup', pbs, { pbs: [aPbsServer()] }],
  ['docker-host-offline-dock1', 'dockerHost:dock1', docker, { dockerHosts: [aDockerHost()] }],
  ['pmg-offline-mail', 'pmg:mail', pmg, { pmg: [aMailGateway()] }],
] as const)('[spec 3 §4] %s ends as soon as that is disabled for this one', (id, key, state, lists) => {
  const { silence, pass, open, configure } = anEngine()
  silence(key.split(':')[1]!, lists, state)
  pass(minuteMs)
  expect(open()).toEqual([id])
  configure({ overrides: { [key]: { disableConnectivity: true } } })
  expect(open()).toEqual([])
})

test.each([
  [{ disabled: true }, []],
  [{ disableConnectivity: true }, ['docker-container-health-dock1:web']],
])('[spec 3 §4] state and health of a container end with %j', (override, left) => {
  const unwell = (change: object) => report({ state: 'running', ...change })
  const { tell, pass, open, configure } = anEngine()
  tell('dock1', unwell({ health: 'unhealthy' }), docker)
  pass(30_000)
  expect(open()).toEqual(['docker-container-health-dock1:web'])
  configure({ overrides: { 'dockerContainer:dock1:web': override } })
  expect(open()).toEqual(left)
  for (let round = 0; round < 3; round++) {
    tell('dock1', report({ state: 'exited' }), docker)
    pass(30_000)
  }
  expect(open()).toEqual([])
  configure({ overrides: {} })
  tell('dock1', report({ state: 'exited' }), docker)
  pass(30_000)
  tell('dock1', report({ state: 'exited' }), docker)
  expect(open()).toEqual(['docker-container-state-dock1:web'])
  configure({ overrides: { 'dockerContainer:dock1:web': override } })
  expect(open()).toEqual([])
})

test('a single source can be excluded', () => {
  const { silence, pass, open } = anEngine(
    settings({ overrides: { 'pbs:backup': { disableConnectivity: true } } }),
  )
  silence('backup', { pbs: [aPbsServer()] }, pbs)
  pass(minuteMs)
  expect(open()).toEqual([])
})

test('an unreachable container host with disabled alerts also ends the alerts of its containers', () => {
  const { tell, silence, pass, open, said } = anEngine(settings({ disableAllDockerHosts: true }))
  tell('dock1', report({ state: 'exited' }), docker)
  pass(30_000)
  tell('dock1', report({ state: 'exited' }), docker)
  expect(open()).toEqual(['docker-container-state-dock1:web'])
  silence('dock1', report({ state: 'exited' }, { staleSince: 1 }), docker)
  pass(30_000)
  expect(open()).toEqual([])
  expect(said.at(-1)!.stored.alert).toMatchObject({ endReason: 'unwatched', endNote: 'Its host is offline.' })
})

test.each([
  ['all', { disableAllPBSOffline: true }],
  ['this one', { overrides: { 'pbs:backup': { disableConnectivity: true } } }],
])('figures of a backup server that is away end also where that is switched off for %s', (_what, change) => {
  const { tell, poll, silence, pass, open, said } = anEngine(settings(change))
  const server = { pbs: [aPbsServer({ cpu: 0.95 })] }
  tell('backup', server, pbs)
  poll('backup', server, pbs)
  expect(open()).toEqual(['backup-cpu'])
  silence('backup', { pbs: [aPbsServer({ cpu: 0.95, connectionHealth: 'error', staleSince: 1 })] }, pbs)
  pass(30_000)
  expect(open()).toEqual([])
  expect(said.at(-1)!.stored.alert).toMatchObject({ endReason: 'unwatched', endNote: 'It is offline.' })
})

test('the alert of a cluster that was unreachable from the start resolves when it answers', () => {
  const { tell, pass, open, said, estate, engine, moment } = anEngine()
  const away = { name: 's', kind: 'pve', health: 'error', error: 'no route' } as const
  engine.apply(estate.observe('s', { sources: new Map([['s', away]]) }), moment())
  pass(20_000)
  expect(open()).toEqual(['node-offline-s'])
  tell('s', { nodes: [aNode({ source: 's' })] })
  expect(said.at(-1)).toMatchObject({ what: 'resolved', stored: { alert: { endReason: 'condition' } } })
})
