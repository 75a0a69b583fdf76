import type { Alert, PlainState } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { answeringServers } from '../testing/database-of-tests.ts'
import { steppedClock } from '../testing/people.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'

/** A port without a listener. */
const nowhere = 'https://127.0.0.1:9'

const clock = steppedClock(acceleratedClock(20, Date.now()))
const soonMs = within(60_000)

let lab: Lab
let server: TestServer
beforeAll(async () => {
  lab = await startLab({ nodes: 2, guests: 6, pbs: 1, authDelayMs: 0, loadPeriodMs: 0 })
  server = await startTestServer(clock, { API_TOKENS: adminToken, PULSE_METRICS_ESTATE: 'true' })
})
afterAll(async () => {
  await server.stop()
  await lab.close()
})

const get = async <T>(where: string): Promise<T> => (await server.call('GET', where)).body as T
/** An answer may be a second old. Other processes would seem to be silent after many leaps. */
const later = () => {
  if (answeringServers === 0) clock.pass(1_001)
}
const state = () => {
  later()
  return get<PlainState>('/api/state')
}
/** Alerts about unreachable nodes. */
const unreachable = async () =>
  (await get<Alert[]>('/api/alerts/active')).filter(
    ({ type, message }) => type === 'connectivity' && /^Node pve\d cannot be reached: /.test(message),
  )

/** Sample lines of one metric. */
async function samples(name: string) {
  later()
  const { text } = await server.call('GET', '/metrics')
  return text.split('\n').filter((line) => line.startsWith(`${name}{`))
}

/** Of several processes, the others follow a change a moment later. */
const atOnce = (look: () => Promise<void>) =>
  answeringServers > 0 ? vi.waitFor(look, { timeout: soonMs, interval: 100 }) : look()

interface Host {
  url: string
  fingerprint: string
}
const accountOf = ({ tokenId, tokenSecret }: { tokenId: string; tokenSecret: string }) => ({
  tokenName: tokenId,
  tokenValue: tokenSecret,
})

async function add(type: 'pve' | 'pbs', { url: host, fingerprint }: Host, account: object) {
  const answer = await server.call('POST', '/api/config/nodes', {
    type,
    name: type,
    host,
    fingerprint,
    ...account,
  })
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { id: string }).id
}

async function change(id: string, type: 'pve' | 'pbs', changes: object) {
  const answer = await server.call('PUT', `/api/config/nodes/${id}`, { type, ...changes })
  expect(answer.status, answer.text).toBe(200)
}

test('a new address of a cluster that does not work is seen in the state, in the metrics and by the rules', async () => {
  const account = accountOf(lab.credentials)
  const id = await add('pve', lab.clusters[0]!.nodes[0]!, account)
  await vi.waitFor(
    async () => expect((await samples('pulse_guest_cpu_usage_ratio')).length).toBeGreaterThan(0),
    { timeout: soonMs, interval: 100 },
  )
  const { nodes: before } = await state()
  expect(before.map(({ connectionHealth }) => connectionHealth)).toEqual(['healthy', 'healthy'])

  await change(id, 'pve', { host: nowhere, ...account })
  await atOnce(async () => {
    const { vms, containers, nodes } = await state()
    expect([...vms, ...containers].filter(({ staleSince }) => staleSince === undefined)).toEqual([])
    expect(nodes.map(({ connectionHealth }) => connectionHealth)).not.toContain('healthy')
    expect(await samples('pulse_guest_cpu_usage_ratio')).toEqual([])
    expect((await samples('pulse_node_up')).filter((line) => line.endsWith(' 1'))).toEqual([])
  })

  await vi.waitFor(async () => expect((await state()).connectionHealth).toMatchObject({ pve: false }), {
    timeout: soonMs,
    interval: 100,
  })
  expect((await state()).nodes.map(({ connectionHealth }) => connectionHealth)).toEqual(['error', 'error'])
  await vi.waitFor(async () => expect(await unreachable()).toHaveLength(2), {
    timeout: soonMs,
    interval: 100,
  })

  await change(id, 'pve', { host: lab.clusters[0]!.nodes[0]!.url, ...account })
  await vi.waitFor(async () => expect(await unreachable()).toEqual([]), { timeout: soonMs, interval: 100 })
  await server.call('DELETE', `/api/config/nodes/${id}`)
})

test('[facts 2.3] a backup server that does not answer any more is offline in the state, with an old moment of contact', async () => {
  const [backups] = lab.pbs
  await add('pbs', backups!, accountOf(backups!.credentials))
  await vi.waitFor(
    async () =>
      expect((await state()).pbs).toMatchObject([{ status: 'online', connectionHealth: 'healthy' }]),
    { timeout: soonMs, interval: 100 },
  )
  await lab.control.patchAppliance(backups!.name, { online: false })
  await vi.waitFor(async () => expect((await state()).connectionHealth).toMatchObject({ 'pbs-pbs': false }), {
    timeout: soonMs,
    interval: 100,
  })
  expect((await state()).pbs).toMatchObject([{ status: 'offline', connectionHealth: 'error' }])
  await lab.control.patchAppliance(backups!.name, { online: true })
  clock.pass(600_000)
  await vi.waitFor(
    async () =>
      expect((await state()).pbs).toMatchObject([{ status: 'online', connectionHealth: 'healthy' }]),
    { timeout: soonMs, interval: 100 },
  )
})
