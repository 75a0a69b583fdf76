import type { DockerContainer } from '@pulse/contract'
import { aDockerContainer, aDockerHost } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { events, anEngine, hourMs, settings } from '../fixtures.ts'

const GiB = 1024 ** 3
const docker = { kind: 'docker', name: 'docker-dock1' } as const
const WEB = 'dock1:web'

function host(config = settings()) {
  const all = anEngine(config)
  const report = (change: Partial<DockerContainer> = {}, afterMs = 30_000) => {
    const changes = all.pass(afterMs)
    const lists = { dockerHosts: [aDockerHost()], dockerContainers: [aDockerContainer(change)] }
    return [...changes, ...all.tell('dock1', lists, docker)]
  }
  return { ...all, report }
}

test('[spec 3 §9] a stopped container is a warning in the second report, under its name', () => {
  const { report, alert } = host()
  expect(report({ state: 'exited', exitCode: 1 })).toEqual([])
  expect(events(report({ state: 'exited', exitCode: 1 }, 5_000))).toEqual([
    `raised docker-container-state-${WEB}`,
  ])
  expect(alert(`docker-container-state-${WEB}`)).toMatchObject({
    type: 'docker-container-state',
    level: 'warning',
    resourceId: `docker:dock1/${aDockerContainer().id}`,
    resourceName: 'web',
    node: 'dock1',
    instance: 'Docker:dock1',
    message: 'Container web has exited (1)',
    metadata: { resourceType: 'Docker Container' },
  })
})

test('[spec 3 §4] a new image is another id and the same alert', () => {
  const { report, alert, open, acknowledge } = host()
  report({ state: 'exited' })
  report({ state: 'exited' })
  acknowledge(`docker-container-state-${WEB}`)
  expect(events(report({ state: 'exited', id: 'another' }))).toEqual([])
  expect(alert(open()[0]!)).toMatchObject({ resourceId: 'docker:dock1/another', acknowledged: true })
})

test.each([
  ['cpu', { cpuPercent: 80 }, { cpuPercent: 79 }],
  ['memory', { memoryPercent: 85 }, { memoryPercent: 84 }],
] as const)('[spec 3 §9] %s at its trigger is an alert, below it none', (metric, at, below) => {
  const { report, open } = host()
  report(at)
  report(at)
  expect(open()).toEqual([`${WEB}-${metric}`])
  report({ state: 'paused', ...at })
  expect(open()).toEqual([])
  const other = host()
  other.report(below)
  other.report(below)
  expect(other.open()).toEqual([])
})

test.each([
  ['unhealthy', 'critical'],
  ['degraded', 'warning'],
])('[spec 3 §4] health %s is %s, once', (health, level) => {
  const { report, alert, said } = host()
  for (let round = 0; round < 5; round++) report({ health })
  expect(alert(`docker-container-health-${WEB}`)).toMatchObject({ level })
  expect(events(said)).toHaveLength(1)
  report({ health: 'healthy' })
  expect(alert(`docker-container-health-${WEB}`)).toBeUndefined()
})

test.each(['', 'none', 'healthy', 'starting'])('health %j is none', (health) => {
  const { report, open } = host()
  report({ health })
  report({ health })
  expect(open()).toEqual([])
})

const LOOP = `docker-container-restart-loop-${WEB}`

test('[spec 3 §9] more than three restarts within 300 seconds are a loop; the first report only sets the counter', () => {
  const { report, open, pass, alert } = host()
  report({ restartCount: 40 })
  report({ restartCount: 42 })
  report({ restartCount: 43 })
  expect(open()).toEqual([])
  report({ restartCount: 44 })
  expect(alert(LOOP)).toMatchObject({ level: 'critical', value: 4, threshold: 3 })
  // It resolves when the window has moved on, with or without new reports.
  pass(235_000)
  expect(open()).toEqual([LOOP])
  pass(10_000)
  expect(open()).toEqual([])
})

test('a lower counter is that of a new container', () => {
  const { report, open } = host()
  report({ restartCount: 40 })
  for (const restartCount of [2, 3, 5]) report({ restartCount })
  expect(open()).toEqual([])
  report({ restartCount: 6 })
  expect(open()).toEqual([LOOP])
})

test('a restart loop survives a restart of Pulse', () => {
  const { report, open, restart } = host()
  report({ restartCount: 1 })
  report({ restartCount: 9 })
  expect(open()).toEqual([LOOP])
  restart(5_000).look()
  expect(open()).toEqual([LOOP])
})

const OOM = `docker-container-oom-${WEB}`

test.each([
  [{ state: 'exited', exitCode: 137, oomKilled: true }, true],
  [{ state: 'dead', exitCode: 1, oomKilled: true }, true],
  // A user stopped it.
  [{ state: 'exited', exitCode: 137, oomKilled: false }, false],
  // An agent that does not report `oomKilled`.
  [{ state: 'exited', exitCode: 137 }, true],
  [{ state: 'exited', exitCode: 1 }, false],
  [{ state: 'running', exitCode: 137, oomKilled: true }, false],
])('%j was killed because it ran out of memory: %s', (change, isIt) => {
  const { report, alert } = host()
  report(change)
  expect(alert(OOM) !== undefined).toBe(isIt)
  if (!isIt) return
  expect(alert(OOM)).toMatchObject({ type: 'docker-container-oom-kill', level: 'critical' })
  report({})
  expect(alert(OOM)).toBeUndefined()
  report(change)
  expect(alert(OOM)).toBeDefined()
})

const LIMIT = `docker-container-memory-limit-${WEB}`
const uses = (percent: number) => ({ memoryLimitBytes: GiB, memoryUsageBytes: (percent / 100) * GiB })

test('[spec 3 §9] memory near its limit: 90 percent is a warning, 95 critical, below 85 it resolves', () => {
  const { report, alert } = host()
  report(uses(89.9))
  expect(alert(LIMIT)).toBeUndefined()
  report(uses(90))
  report(uses(90))
  expect(alert(LIMIT)).toMatchObject({ level: 'warning', threshold: 90 })
  report(uses(95))
  expect(alert(LIMIT)).toMatchObject({ level: 'critical', threshold: 95 })
  report(uses(91))
  expect(alert(LIMIT)).toMatchObject({ level: 'critical' })
  report(uses(86))
  expect(alert(LIMIT)).toBeDefined()
  report(uses(84))
  expect(alert(LIMIT)).toBeUndefined()
})

test('memory that oscillates around its critical limit changes the level once', () => {
  const { report, alert, said } = host()
  for (let round = 0; round < 60; round++) report(uses(round % 2 === 0 ? 94.5 : 95.5))
  expect(alert(LIMIT)).toMatchObject({ level: 'critical' })
  expect(said.filter(({ what }) => what === 'leveled')).toHaveLength(0)
  expect(said.filter(({ what }) => what === 'raised')).toHaveLength(1)
})

test('each memory limit has its delay', () => {
  const { report, alert } = host(
    settings({ metricTimeThresholds: { docker: { memorywarnpct: 600, memorycriticalpct: 0 } } }),
  )
  for (let round = 0; round < 5; round++) report(uses(92))
  expect(alert(LIMIT)).toBeUndefined()
  report(uses(97))
  expect(alert(LIMIT)).toMatchObject({ level: 'critical' })
})

test('a stopped container or one without a limit has no memory alert', () => {
  for (const change of [{ state: 'exited' }, { memoryLimitBytes: 0 }]) {
    const { report, alert } = host()
    report(uses(92))
    report(uses(92))
    expect(alert(LIMIT)).toBeDefined()
    report({ ...uses(92), ...change })
    expect(alert(LIMIT)).toBeUndefined()
  }
})

const all = { state: 'exited', exitCode: 137, oomKilled: true, restartCount: 20 }

test.each([
  ['its own switch', { overrides: { [`dockerContainer:${WEB}`]: { disabled: true } } }],
  ['that of all containers', { disableAllDockerContainers: true }],
  ['[spec 3 §5] the beginning of its name', { dockerIgnoredContainerPrefixes: ['WE'] }],
  ['the beginning of its id', { dockerIgnoredContainerPrefixes: ['webdock1'] }],
])('%s ends all of its alerts', (_what, change) => {
  const { report, open, configure } = host()
  report()
  report(all)
  report({ ...all, restartCount: 21 })
  expect(open()).toEqual([OOM, LOOP, `docker-container-state-${WEB}`].sort())
  configure(change)
  expect(open()).toEqual([])
  report(all)
  expect(open()).toEqual([])
})

test('a removed container has no alerts and no stored values', () => {
  const { report, open, tell, pass, engine } = host()
  report()
  report(all)
  report(all)
  tell('dock1', { dockerContainers: [] }, docker)
  expect(open()).toEqual([])
  pass(2 * hourMs)
  expect(engine.size).toEqual({ tracked: 0, due: 0, remembered: 0, kept: 0 })
})
