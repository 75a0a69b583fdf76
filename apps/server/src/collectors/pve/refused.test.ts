import { Secret } from '@pulse/domain'
import type { FaultSpec } from '@pulse/lab'
import { expect, test } from 'vitest'
import { given } from './fixtures.ts'

const refusals: [string, Omit<FaultSpec, 'path' | 'node'>][] = [
  ['403', { kind: 'status', status: 403, text: 'Permission check failed (/nodes/pve1, Sys.Audit)' }],
  ['501', { kind: 'status', status: 501 }],
  ['500', { kind: 'status', status: 500 }],
]
test.concurrent.for(refusals)(
  "[R19] %s on a node's own report: its guests, storages and lists go on, and it recovers",
  async ([status, fault], context) => {
    const { lab, clock, start, until, isComplete, records, pass, state } = await given(context, {
      nodes: 2,
      guests: 8,
      factor: 60,
    })
    start()
    await until('the whole picture', isComplete, 20)
    const { name } = lab.clusters[0]!.nodes[0]!
    const node = () => records('nodes').find((one) => one.node === name)!
    lab.control.addFault({ ...fault, path: `/nodes/${name}/status` })
    await pass(120)
    lab.control.resetRequests()
    const from = clock.now()
    await pass(120)
    const asked = (path: string) => lab.requests({ path }).total
    const running = lab.control
      .guests()
      .filter((guest) => guest.node === name && guest.kind === 'qemu' && guest.status === 'running')
    expect(running.length).toBeGreaterThan(0)
    for (const { vmid } of running) {
      expect([vmid, asked(`/nodes/${name}/qemu/${vmid}/*`) > 0]).toEqual([vmid, true])
    }
    expect(asked(`/nodes/${name}/storage`)).toBeGreaterThanOrEqual(1)
    expect(asked(`/nodes/${name}/status`)).toBeLessThanOrEqual(Math.ceil((clock.now() - from) / 30_000) + 1)
    expect(node().status).toBe('online')
    // For a lasting refusal the listing's figures are used. After a failure the figures have an age.
    expect(node().memory!.staleSince !== undefined).toBe(status === '500')
    if (status === '403') {
      expect(node().withheld).toMatch(/Sys\.Audit is missing on \/nodes\/pve1/)
      expect(state().error).toMatch(/Sys\.Audit/)
      expect(node().connectionHealth).toBe('healthy')
      expect(asked(`/nodes/${name}/status`)).toBeLessThanOrEqual(1)
    }
    lab.control.clearFaults()
    await until('its report', () => node().withheld === undefined && !node().memory?.staleSince, 400)
    await until('no complaint', () => state().error === undefined, 120)
  },
)

test.concurrent(
  '[facts 1.2] without Sys.Audit: guests and storage are whole, the node is online and names the right, no figure is 0',
  async (context) => {
    const { lab, start, until, records, state, pass } = await given(context, {
      nodes: 2,
      guests: 8,
      factor: 40,
    })
    lab.control.patchToken(lab.credentials.tokenId, { drop: ['Sys.Audit'] })
    start()
    await until('the reason', () => records('nodes').every((node) => node.withheld !== undefined), 40)
    await until('figures of the guests', () => records('guests').some((guest) => guest.disks), 120)
    await pass(20)
    for (const node of records('nodes')) {
      expect(node).toMatchObject({ status: 'online', connectionHealth: 'healthy' })
      expect(node.withheld).toBe(
        `Sys.Audit is missing on /nodes/${node.node}: its processor, memory, disk and versions stay unknown`,
      )
      for (const field of ['cpu', 'memory', 'disk', 'startedAt', 'cpuInfo'])
        expect(node).not.toHaveProperty(field)
    }
    expect(state()).toMatchObject({
      health: 'healthy',
      error: expect.stringMatching(/Sys\.Audit is missing/),
    })
    // The account may not query the cluster either, which differs from a host without a cluster.
    expect(records('nodes').every((node) => node.isClusterMember)).toBe(true)

    lab.control.patchToken(lab.credentials.tokenId, { drop: [] })
    await until('the figures', () => records('nodes').every((node) => node.memory && !node.withheld), 400)
    await until('no complaint', () => state().error === undefined, 400)
    expect(records('nodes').every((node) => node.clusterName !== undefined)).toBe(true)
  },
)

test.concurrent(
  '[facts 1.13] the configuration of storages is refused: a node shows its own, and not those of others as empty',
  async (context) => {
    const { lab, start, until, isComplete, records, pass } = await given(context, {
      nodes: 3,
      guests: 2,
      factor: 40,
    })
    const collector = start()
    await until('the whole picture', () => isComplete() && records('storage').length > 0, 20)
    await pass(5)
    const rows = () =>
      records('storage')
        .map(({ node, storage, status }) => `${node} ${storage} ${status}`)
        .sort()
    const before = rows()
    await collector.stop()
    lab.control.addFault({ kind: 'status', status: 403, path: '/storage' })
    start({ id: 'c2' })
    await until('the same storages', () => isComplete() && rows().length >= before.length, 30)
    await pass(70)
    expect(rows()).toEqual(before)
  },
)

test.concurrent(
  '[facts 1.3] refused credentials are reported as such, not as an unreachable host',
  async (context) => {
    const { lab, start, until, state, isComplete } = await given(context, { nodes: 2, guests: 2 })
    start()
    await until('the whole picture', isComplete, 20)
    expect(state()).not.toHaveProperty('refused')
    lab.control.patchToken(lab.credentials.tokenId, { enabled: false })
    await until('the error', () => state().health === 'error', 30)
    expect(state()).toMatchObject({
      refused: true,
      error: expect.stringMatching(/credentials were not accepted/),
    })
  },
)

test.concurrent('a host that is away is not one that refuses', async (context) => {
  const { lab, start, until, state } = await given(context, { nodes: 1, guests: 1 })
  const { tokenId, tokenSecret } = lab.credentials
  await lab.control.patchNode(lab.clusters[0]!.nodes[0]!.name, { online: false })
  start({ auth: { type: 'token', tokenId, secret: new Secret(tokenSecret) } })
  await until('the error', () => state().health === 'error', 30)
  expect(state()).not.toHaveProperty('refused')
})

test.concurrent.for([
  [403, undefined],
  [501, false],
] as const)(
  '[facts 1.4] %i on the cluster: whether there is one is %s',
  async ([status, isMember], context) => {
    const { lab, start, until, isComplete, records, state, pass } = await given(context, {
      standalone: true,
      nodes: 1,
      guests: 1,
      factor: 40,
    })
    lab.control.addFault({ kind: 'status', status, path: '/cluster/status' })
    start()
    await until('the whole picture', isComplete, 20)
    await pass(20)
    expect(records('nodes').map((node) => node.isClusterMember)).toEqual([isMember])
    expect(/cluster/.test(state().error ?? '')).toBe(status === 403)
  },
)
