import { Secret } from '@pulse/domain'
import type { FaultSpec } from '@pulse/lab'
import { expect, test } from 'vitest'
import { normalFingerprint } from '../certificate.ts'
import { given } from './fixtures.ts'

test.concurrent(
  '[facts 1.4] the first node dies: another one answers, nothing is lost, and no spare is a fault',
  async (context) => {
    const { lab, start, until, state, isComplete, records, pass, clock } = await given(context, {
      nodes: 3,
      guests: 12,
    })
    start()
    const [first] = lab.clusters[0]!.nodes
    await until('the whole picture', isComplete, 20)
    await pass(10)
    const before = records('guests')
    await lab.control.patchNode(first!.name, { online: false })
    await until(
      'the dead node is seen',
      () => records('nodes').some(({ status }) => status === 'offline'),
      30,
    )
    await pass(30)

    expect(state().health).toBe('healthy')
    expect(clock.now() - state().lastSeen!).toBeLessThan(11_000)
    const dead = records('nodes').find(({ node }) => node === first!.name)!
    expect(dead).toMatchObject({ status: 'offline', cpu: 0, connectionHealth: 'offline' })
    expect(dead.staleSince).toBeDefined()
    expect(dead).not.toHaveProperty('startedAt')
    expect(
      records('guests')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(before.map(({ name }) => name).sort())
    for (const guest of records('guests')) {
      if (guest.node === first!.name) expect(guest).toMatchObject({ status: 'unknown', cpu: 0 })
      else expect(guest).not.toHaveProperty('staleSince')
    }
    const local = records('storage').find(({ node, storage }) => node === first!.name && storage === 'local')
    expect(local).toMatchObject({ status: 'unknown', active: false })

    await lab.control.patchNode(first!.name, { online: true })
    await until(
      'it is back',
      () => records('nodes').every((node) => node.status === 'online' && !node.staleSince),
      60,
    )
    await until('its guests too', () => records('guests').every((guest) => guest.status !== 'unknown'), 30)
    await until(
      'its own address',
      () => records('nodes').every((node) => node.connectionHealth === 'healthy'),
      60,
    )
  },
)

test.concurrent(
  '[facts 1.4] after a restart of ours the remembered members stand in for a dead first one',
  async (context) => {
    const { lab, start, until, learned, records } = await given(context, { nodes: 3, guests: 6 })
    const watching = start()
    await until('the members', () => Object.keys(learned.at(-1)?.memberFingerprints ?? {}).length === 3, 20)
    await watching.stop()
    const { clusterName, clusterEndpoints, memberFingerprints } = learned.at(-1)!
    await lab.control.patchNode(lab.clusters[0]!.nodes[0]!.name, { online: false })
    start({ clusterName: clusterName!, clusterEndpoints, memberFingerprints })
    await until(
      'the picture',
      () => records('guests').some((guest) => guest.status === 'running' && !guest.staleSince),
      20,
    )
  },
)

test.concurrent('[facts 1.4] a lost quorum is degraded, its return healthy', async (context) => {
  const { lab, start, until, state } = await given(context, { nodes: 3, guests: 3 })
  const collector = start()
  await until('healthy', () => state().health === 'healthy', 20)
  lab.control.patchCluster({ quorate: false })
  await until('degraded', () => state().health === 'degraded', 70)
  lab.control.patchCluster({ quorate: true })
  collector.refresh()
  await until('healthy again', () => state().health === 'healthy', 70)
})

test.concurrent(
  '[S18] a member with a changed certificate is not asked until the cluster vouches for it',
  async (context) => {
    const { lab, start, until, learned, state, isComplete } = await given(context, {
      nodes: 3,
      guests: 6,
    })
    start()
    const member = lab.clusters[0]!.nodes[1]!.name
    await until('the whole picture', isComplete, 20)
    const renewed = await lab.control.renewCertificate(member)
    await until(
      'the new one is trusted',
      () => learned.at(-1)?.memberFingerprints[member] === normalFingerprint(renewed),
      60,
    )
    await until('its details', () => state().error === undefined, 60)
    expect(renewed).toBe(lab.clusters[0]!.nodes[1]!.fingerprint)
  },
)

test.concurrent(
  '[S18] the pinned first node shows another certificate: refused before any request, and said how to go on',
  async (context) => {
    const { lab, start, until, state } = await given(context, { nodes: 1, guests: 2 })
    start({ fingerprint: 'ab'.repeat(32) })
    await until('the error', () => state().health === 'error', 20)
    expect(state().error).toMatch(
      /fingerprint does not match: expected AB:.*, got .*; update the fingerprint/,
    )
    expect(lab.requests().total).toBe(0)
  },
)

test.concurrent(
  '[facts 1.3] the whole source goes silent: nothing vanishes, all of it is stale; then all is well again',
  async (context) => {
    const { lab, start, until, state, isComplete, records, pass, logLines } = await given(context, {
      nodes: 2,
      guests: 8,
    })
    start()
    await until('the whole picture', isComplete, 20)
    const guests = records('guests').length
    for (const { name } of lab.clusters[0]!.nodes) await lab.control.patchNode(name, { online: false })
    const lostAt = state().lastSeen!
    await pass(2)
    expect(records('guests').every((guest) => guest.staleSince === undefined)).toBe(true)
    await until('stale', () => state().health === 'error', 16)
    expect(records('guests')).toHaveLength(guests)
    for (const record of [...records('guests'), ...records('nodes'), ...records('storage')]) {
      expect(record.staleSince).toBeLessThanOrEqual(lostAt + 10_000)
    }
    expect(records('nodes').every((node) => node.connectionHealth === 'error')).toBe(true)
    expect(state().error).toMatch(/refused/)
    expect(logLines.filter((line) => line.includes('source does not answer'))).toHaveLength(1)

    for (const { name } of lab.clusters[0]!.nodes) await lab.control.patchNode(name, { online: true })
    await until('recovery', () => state().health === 'healthy', 30)
    expect(state()).not.toHaveProperty('error')
    await until('fresh', () => records('guests').every((guest) => guest.staleSince === undefined), 30)
  },
)

test.concurrent(
  '[facts 1.3] a withdrawn account keeps its data, is said so, and is not knocked at fast',
  async (context) => {
    const { lab, start, until, state, isComplete, records, pass } = await given(context, {
      nodes: 3,
      guests: 9,
      factor: 40,
    })
    const collector = start()
    await until('the whole picture', isComplete, 20)
    const guests = records('guests').length
    lab.control.patchToken(lab.credentials.tokenId, { enabled: false })
    await until('the error', () => state().health === 'error', 30)
    expect(state().error).toMatch(/credentials were not accepted/)
    await pass(20)
    lab.control.resetRequests()
    await pass(120)
    expect(lab.requests().total).toBeLessThanOrEqual(6)
    expect(records('guests')).toHaveLength(guests)
    lab.control.patchToken(lab.credentials.tokenId, { enabled: true })
    collector.refresh()
    collector.refresh()
    await until('recovery', () => state().health === 'healthy', 40)
  },
)

test.concurrent('[facts 1.2] an account without rights sees nodes only, with the reason', async (context) => {
  const { lab, start, until, state, records } = await given(context, { nodes: 2, guests: 6 })
  const { tokenId, tokenSecret } = lab.credentials.powerless
  start({ auth: { type: 'token', tokenId, secret: new Secret(tokenSecret) } })
  await until('nodes', () => records('nodes').length === 2, 20)
  await until('the reason', () => /guests will not appear/.test(state().error ?? ''), 60)
  expect(state().health).toBe('healthy')
})

const onOneNode: [string, Omit<FaultSpec, 'node'>][] = [
  ['a web page', { kind: 'html' }],
  ['broken JSON', { kind: 'broken-json' }],
  ['a gigabyte', { kind: 'huge' }],
  ['a byte a second', { kind: 'dribble' }],
  ['resets', { kind: 'reset' }],
  ['errors', { kind: 'status', status: 500 }],
  ['overload', { kind: 'status', status: 503 }],
]
test.concurrent.for(onOneNode)(
  '[R19] one node answers with %s: the others do not notice',
  async ([, fault], context) => {
    const { lab, start, until, state, isComplete, records, pass } = await given(context, {
      nodes: 3,
      guests: 9,
      factor: 30,
    })
    start()
    await until('the whole picture', isComplete, 20)
    const ill = lab.clusters[0]!.nodes[0]!.name
    lab.control.addFault({ ...fault, node: ill })
    await pass(15)
    await pass(60)
    expect(records('nodes')).toHaveLength(3)
    expect(state().health).not.toBe('error')
    expect(records('guests').every((guest) => guest.staleSince === undefined)).toBe(true)
    const others = records('nodes').filter(({ node }) => node !== ill)
    expect(others.every((node) => node.connectionHealth === 'healthy' && node.status === 'online')).toBe(true)
    lab.control.clearFaults()
    await until('recovery', () => state().health === 'healthy' && !state().error, 120)
  },
)

test.concurrent(
  '[facts 1.2] the listing of the cluster fails while nodes answer: the nodes list their guests',
  async (context) => {
    const { lab, start, until, state, isComplete, records } = await given(context, {
      nodes: 2,
      guests: 8,
      factor: 40,
    })
    const collector = start()
    await until('the whole picture', isComplete, 20)
    lab.control.addFault({ kind: 'broken-json', path: '/cluster/resources' })
    await until('the lists', () => lab.requests({ path: '/nodes/{node}/lxc' }).total >= 2, 120)
    const gone = lab.control.guests().find((guest) => guest.kind === 'qemu' && !guest.template)!
    lab.control.deleteGuest(gone.vmid)
    await until('a deleted guest goes', () => records('guests').every(({ vmid }) => vmid !== gone.vmid), 200)
    expect(records('guests').length).toBeGreaterThan(0)
    expect(state().health).toBe('healthy')
    expect(state().error).toMatch(/not valid JSON/)
    lab.control.clearFaults()
    collector.refresh()
    await until('the listing is back', () => state().error === undefined, 200)
  },
)
