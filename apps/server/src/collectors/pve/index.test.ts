import { Secret } from '@pulse/domain'
import { expect, test } from 'vitest'
import { given } from './fixtures.ts'

test.concurrent.for([
  ['7', 'token'],
  ['8', 'password'],
  ['9', 'token'],
] as const)(
  'PVE %s with a %s: the whole picture, details of guests within two and a half minutes',
  async ([version, auth], context) => {
    const { lab, start, until, records, latest } = await given(context, {
      version,
      nodes: 3,
      guests: 24,
      factor: 25,
    })
    const { user, password } = lab.credentials
    const collector = start(
      auth === 'password' ? { auth: { type: 'password', user, password: new Secret(password) } } : {},
    )
    await until('the first picture', () => records('guests').length > 0, 10)
    const expected = lab.control.guests().filter((guest) => !guest.template)
    expect(records('guests').map((guest) => guest.vmid)).toEqual(
      expect.arrayContaining(expected.map((guest) => guest.vmid)),
    )
    expect(records('guests')).toHaveLength(expected.length)

    await until('every node was polled', () => records('nodes').every((node) => node.pveVersion), 10)
    for (const node of records('nodes')) {
      expect(node).toMatchObject({ status: 'online', connectionHealth: 'healthy', isClusterMember: true })
      expect(node.pveVersion).toContain(`pve-manager/${version}`)
      expect(node.host).toBe(lab.clusters[0]!.nodes.find(({ name }) => name === node.node)!.url)
      expect(node.memory!.used).toBeGreaterThan(0)
    }
    await until('storage', () => records('storage').some((storage) => storage.node === 'cluster'), 10)

    const askable = expected.filter(({ kind, status, agent, lock }) => {
      return kind === 'qemu' && status === 'running' && agent === 'running' && lock === undefined
    })
    expect(askable.length).toBeGreaterThan(0)
    await until(
      'the operating systems',
      () => askable.every(({ vmid }) => records('guests').find((guest) => guest.vmid === vmid)?.osName),
      150,
    )
    expect(latest().state).toMatchObject({ name: 'main', kind: 'pve', health: 'healthy' })
    expect(latest().state).not.toHaveProperty('error')
    expect(collector.totals()).toMatchObject({ calls: expect.any(Number) as number })
    expect(collector.totals().cycles).toBeGreaterThanOrEqual(9)
  },
)

test.concurrent('a standalone host is one, under the name that the user gave it', async (context) => {
  const { start, until, records, learned } = await given(context, { standalone: true, nodes: 1, guests: 5 })
  start()
  await until('the node', () => records('nodes')[0]?.pveVersion !== undefined, 20)
  const [node] = records('nodes')
  expect(node).toMatchObject({ displayName: 'main', connectionHealth: 'healthy' })
  await until('that it is alone', () => records('nodes')[0]?.isClusterMember === false, 20)
  expect(learned.at(-1) ?? { clusterEndpoints: [] }).toMatchObject({ clusterEndpoints: [] })
})

test.concurrent(
  '[facts 1.4] the members of a cluster are learned, once, with their certificates',
  async (context) => {
    const { lab, start, until, learned, pass } = await given(context, { nodes: 3, guests: 3 })
    start()
    await until('the members', () => Object.keys(learned.at(-1)?.memberFingerprints ?? {}).length === 3, 20)
    const { clusterName, clusterEndpoints } = learned.at(-1)!
    expect(clusterName).toBe(lab.clusters[0]!.name)
    expect(clusterEndpoints.map(({ Host }) => Host)).toEqual(lab.clusters[0]!.nodes.map(({ url }) => url))
    const before = learned.length
    await pass(70)
    expect(learned).toHaveLength(before)
  },
)

test.concurrent(
  '[facts 6.3.20] a migrated guest stays the same guest, and its rates begin again',
  async (context) => {
    const { lab, start, until, guest, latest } = await given(context, { nodes: 2, guests: 8 })
    start()
    const moving = lab.control
      .guests()
      .find((one) => one.status === 'running' && one.kind === 'qemu' && !one.lock)!
    await until('rates', () => guest(moving.vmid)?.networkIn !== undefined, 60)
    const target = lab.clusters[0]!.nodes.find(({ name }) => name !== moving.node)!.name
    lab.control.migrateGuest(moving.vmid, target)
    await until('the move', () => guest(moving.vmid)?.node === target, 30)
    expect(guest(moving.vmid)!.id).toBe(`main-${target}-${moving.vmid}`)
    expect(latest().records.guests!.has(`c1:${moving.vmid}`)).toBe(true)
    expect(guest(moving.vmid)!.networkIn ?? 0).toBeLessThan(1e9)
  },
)

test.concurrent('[facts 1.5] deleted guests go after a minute, the last one included', async (context) => {
  const { lab, start, until, records } = await given(context, { nodes: 1, guests: 3 })
  start()
  await until('guests', () => records('guests').length > 0, 10)
  for (const { vmid } of lab.control.guests()) lab.control.deleteGuest(vmid)
  await until('the grace', () => records('guests').every((guest) => guest.staleSince !== undefined), 25)
  expect(records('guests').length).toBeGreaterThan(0)
  await until('the end', () => records('guests').length === 0, 80)
})

test.concurrent('what is not wanted is neither asked for nor shown', async (context) => {
  const { lab, start, until, records, latest, pass } = await given(context, { nodes: 1, guests: 8 })
  start({ flags: { monitorVMs: false, monitorStorage: false } })
  await until('containers', () => records('guests').length > 0, 10)
  await pass(30)
  expect(records('guests').every((guest) => guest.type === 'lxc')).toBe(true)
  expect(latest().records.storage!.size).toBe(0)
  expect(lab.requests({ path: '/nodes/{node}/storage' }).total).toBe(0)
  expect(lab.requests({ path: '/nodes/*/qemu/*' }).total).toBe(0)
})

test.concurrent('stop ends all calls, and refresh asks at once', async (context) => {
  const { lab, start, until, pass } = await given(context, { nodes: 2, guests: 6 })
  const collector = start()
  await until('the first listing', () => collector.totals().cycles > 0, 10)
  const before = lab.requests({ path: '/cluster/resources' }).total
  collector.refresh()
  await until('another one', () => lab.requests({ path: '/cluster/resources' }).total > before, 3)
  await collector.stop()
  const after = lab.requests().total
  await pass(25)
  expect(lab.requests().total).toBe(after)
})
