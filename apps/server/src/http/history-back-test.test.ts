import { type AlertConfig, type BackTest, alertDefaults } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connectCluster } from './fixtures-cluster.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { within } from '../../../../scripts/test-limits.ts'

let lab: Lab
let server: TestServer
const clock = acceleratedClock(20, Date.now())
const until = (look: () => Promise<void>) => vi.waitFor(look, { timeout: within(120_000), interval: 100 })
const at = (trigger: number): AlertConfig => ({
  ...alertDefaults,
  activationState: 'active',
  // messages go out at once
  schedule: { ...alertDefaults.schedule, grouping: { ...alertDefaults.schedule.grouping, enabled: false } },
  guestDefaults: { ...alertDefaults.guestDefaults, memory: { trigger, clear: Math.max(0, trigger - 5) } },
})
const play = (body: object) =>
  server.call('POST', '/api/history/back-test', { kind: 'guests', metric: 'memory', config: at(1), ...body })

beforeAll(async () => {
  lab = await startLab({ nodes: 1, guests: 4, authDelayMs: 0, loadPeriodMs: 10_000 })
  server = await startTestServer(clock)
  await connectCluster(server, lab)
})
afterAll(async () => {
  await server.stop()
  await lab.close()
})

test('[M 3.7] 200: a threshold below every figure would have fired for every running guest, and named it', async () => {
  await until(async () => {
    const { status, body } = await play({})
    expect(status).toBe(200)
    const { total, things, top, perDay, messages, reaches } = body as BackTest
    const { vms, containers } = (await server.call('GET', '/api/state')).body as Record<
      'vms' | 'containers',
      { name: string; status: string }[]
    >
    const running = [...vms, ...containers].filter(({ status: word }) => word === 'running')
    expect(running.length).toBeGreaterThan(0)
    expect(things).toBe(running.length)
    expect(top.map(({ name }) => name).toSorted()).toEqual(running.map(({ name }) => name).toSorted())
    expect(perDay.reduce((sum, { count }) => sum + count, 0)).toBe(total)
    expect(messages).toBeGreaterThan(0)
    expect(reaches).toBeLessThanOrEqual(clock.now())
  })
})

test('[M 3.7] 200: one that no figure reaches would not have fired, and nothing is saved', async () => {
  const before = (await server.call('GET', '/api/alerts/config')).body
  const { status, body } = await play({ config: at(100) })
  expect([status, (body as BackTest).total, (body as BackTest).messages]).toEqual([200, 0, 0])
  expect((await server.call('GET', '/api/alerts/config')).body).toEqual(before)
})

test('[M 3.7] 200: the disk of virtual machines is played by file system, and counted by guest', async () => {
  const low = { trigger: 1, clear: 1 }
  const config = { ...at(1), guestDefaults: { ...alertDefaults.guestDefaults, disk: low } }
  await until(async () => {
    const { status, body } = await play({ metric: 'disk', config })
    expect(status).toBe(200)
    const { alerts, top, unplayed } = body as BackTest
    const { vms } = (await server.call('GET', '/api/state')).body as {
      vms: { name: string; disks?: object[] }[]
    }
    const divided = vms.filter(({ disks = [] }) => disks.length > 0)
    expect(divided.length).toBeGreaterThan(0)
    expect(unplayed).toBe(0)
    for (const { name, disks } of divided) {
      expect(top.filter((one) => one.name === name)).toHaveLength(1)
      const parts = alerts.filter((one) => one.name === name).map(({ fileSystem }) => fileSystem)
      expect(new Set(parts).size).toBe(disks!.length)
      expect(parts).not.toContain(undefined)
    }
  })
})

test('[M 3.7] 200: one record alone', async () => {
  const { body } = await play({})
  const [first] = (body as BackTest).top
  const { body: own } = await play({ id: first!.id })
  expect((own as BackTest).top.map(({ id }) => id)).toEqual([first!.id])
  expect(((await play({ id: 'nothing' })).body as BackTest).total).toBe(0)
})

test.each([
  [{ metric: 'usage' }, 'metric: Records of this kind have no such metric.'],
  [{ kind: 'pmg' }, 'metric: Records of this kind have no such metric.'],
  [{ kind: 'dockerHosts' }, 'kind'],
  [{ config: {} }, 'config'],
])('[M 3.7] 400: %j', async (change, text) => {
  const { status, body } = await play(change)
  expect(status).toBe(400)
  expect((body as { error: string }).error).toContain(text)
})

test('[M 3.7] 409: a newer one of the same user replaces an older one', async () => {
  const answers = await Promise.all([play({}), play({}), play({})])
  expect(answers.at(-1)!.status).toBe(200)
  for (const { status, body } of answers.slice(0, -1)) {
    expect([200, 409]).toContain(status)
    if (status === 409)
      expect((body as { error: string }).error).toBe('A newer back-test of yours has replaced this one.')
  }
})
