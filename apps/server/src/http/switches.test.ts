import { type MonitorFlag, monitorFlags, type NodeInput, PlainState, sourceKinds } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { steppedClock } from '../testing/people.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { within } from '../../../../scripts/test-limits.ts'

let lab: Lab
let server: TestServer
const clock = steppedClock(acceleratedClock(40, Date.now()))

beforeAll(async () => {
  lab = await startLab({ nodes: 1, guests: 6, pbs: 1, pmg: 1, authDelayMs: 0 })
  server = await startTestServer(clock)
})
afterAll(async () => {
  await server.stop()
  await lab.close()
})
beforeEach(async () => {
  await saved({ backupPollingEnabled: true, pbsPollingInterval: 10, pmgPollingInterval: 10 })
})

type Kind = (typeof sourceKinds)[number]

/** The request that only this switch causes. */
const asked: { [K in Kind]: Record<keyof (typeof monitorFlags)[K], string> } = {
  pve: {
    monitorVMs: '/nodes/*/qemu/*/agent/*',
    monitorContainers: '/nodes/*/lxc/*/interfaces',
    monitorStorage: '/nodes/*/storage',
    monitorBackups: '/nodes/*/storage/*/content',
    monitorPhysicalDisks: '/nodes/*/disks/list',
  },
  pbs: {
    monitorDatastores: '/admin/datastore/*/snapshots',
    monitorSyncJobs: '/admin/sync',
    monitorVerifyJobs: '/admin/verify',
    monitorPruneJobs: '/admin/prune',
    monitorGarbageJobs: '/admin/gc',
  },
  pmg: {
    monitorMailStats: '/statistics/mail',
    monitorQueues: '/nodes/*/postfix/qshape',
    monitorQuarantine: '/quarantine/spamstatus',
    monitorDomainStats: '/statistics/domains',
  },
}
/** The deduplication factor of a datastore is reported with its garbage collection. */
const reportedTogether: Partial<Record<MonitorFlag, MonitorFlag>> = {
  monitorDatastores: 'monitorGarbageJobs',
}
/** The request that is repeated whatever the switches are. */
const greeting = { pve: '/cluster/resources', pbs: '/version', pmg: '/version' }

const calls = (path: string) => lab.requests({ path }).total
const until = <T>(probe: () => T | Promise<T>) => vi.waitFor(probe, { timeout: within(20_000), interval: 20 })

/** Advances the clock, because write calls are limited per minute. */
async function done(method: string, where: string, body: unknown, status = 200) {
  clock.pass(10_000)
  const answer = await server.call(method, where, body)
  expect(answer.status, answer.text).toBe(status)
  return answer.body
}
const saved = (settings: object) => done('POST', '/api/system/settings/update', settings)
const switched = (id: string, flags: object) => done('PUT', `/api/config/nodes/${id}`, flags)
const state = async () => PlainState.parse((await server.call('GET', '/api/state')).body)

function inputOf(kind: Kind): NodeInput {
  const [host] = kind === 'pve' ? lab.clusters[0]!.nodes : lab[kind]
  const { url, fingerprint } = host!
  if (kind === 'pmg') {
    const { user, password } = lab.pmg[0]!.credentials.auditor
    return { type: kind, name: kind, host: url, fingerprint, user, password }
  }
  const { tokenId, tokenSecret } = kind === 'pve' ? lab.credentials : lab.pbs[0]!.credentials
  return { type: kind, name: kind, host: url, fingerprint, tokenName: tokenId, tokenValue: tokenSecret }
}

/** Adds a connection with only these switches on; the end of the test removes it. */
async function connected(kind: Kind, on: readonly MonitorFlag[]): Promise<string> {
  const flags = Object.fromEntries(Object.keys(monitorFlags[kind]).map((flag) => [flag, false]))
  for (const flag of on) flags[flag] = true
  const { id } = (await done('POST', '/api/config/nodes', { ...inputOf(kind), ...flags }, 201)) as {
    id: string
  }
  onTestFinished(async () => {
    clock.pass(10_000)
    await server.call('DELETE', `/api/config/nodes/${id}`)
  })
  return id
}

/** Waits for two more polls, so that every request has had its chance. */
async function twoRounds(kind: Kind) {
  const before = calls(greeting[kind])
  await until(() => expect(calls(greeting[kind])).toBeGreaterThanOrEqual(before + 2))
}

test.each(sourceKinds)(
  '[spec 2 §3] %s: what is switched off is not asked for; switched on it is, and only that; and off again',
  async (kind) => {
    const flags = Object.entries<string>(asked[kind])
    expect(flags.map(([flag]) => flag)).toEqual(Object.keys(monitorFlags[kind]))
    lab.control.resetRequests()
    const id = await connected(kind, [])
    await twoRounds(kind)
    const made = () => flags.filter(([, path]) => calls(path) > 0).map(([flag]) => flag)
    expect(made()).toEqual([])
    for (const [flag, path] of flags) {
      await switched(id, { [flag]: true })
      await until(() => expect(calls(path)).toBeGreaterThan(0))
      expect(made().filter((one) => one !== reportedTogether[flag as MonitorFlag])).toEqual([flag])
      await switched(id, { [flag]: false })
      lab.control.resetRequests()
    }
    await twoRounds(kind)
    expect(made()).toEqual([])
  },
)

test('[spec 2 §3] what is switched off goes from the state, and comes back with the switch', async () => {
  const id = await connected('pmg', ['monitorMailStats', 'monitorQuarantine'])
  const gateway = async () => (await state()).pmg[0]
  await until(async () => expect(await gateway()).toMatchObject({ mailStats: {}, quarantine: {} }))
  await switched(id, { monitorQuarantine: false })
  await until(async () => expect(await gateway()).not.toHaveProperty('quarantine'))
  expect(await gateway()).toHaveProperty('mailStats')
  await switched(id, { monitorQuarantine: true })
  await until(async () => expect(await gateway()).toHaveProperty('quarantine'))
})

test('[spec 2 §9] without backup polling no list of backups is read anywhere, and none is shown', async () => {
  const lists = [
    '/nodes/*/storage/*/content',
    '/nodes/*/qemu/*/snapshot',
    '/admin/datastore/*/snapshots',
    '/nodes/*/backup',
  ]
  const read = () => lists.filter((path) => calls(path) > 0)
  await saved({ backupPollingEnabled: false })
  lab.control.resetRequests()
  for (const kind of sourceKinds) await connected(kind, Object.keys(monitorFlags[kind]) as MonitorFlag[])
  for (const kind of sourceKinds) await twoRounds(kind)
  expect(read()).toEqual([])
  expect(await state()).toMatchObject({
    pveBackups: { storageBackups: [], guestSnapshots: [] },
    pbsBackups: [],
    pmgBackups: [],
  })
  await saved({ backupPollingEnabled: true })
  await until(() => expect(read()).toEqual(lists))
})
