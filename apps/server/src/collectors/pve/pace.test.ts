import type { FaultSpec, RequestCounts } from '@pulse/lab'
import { expect, test } from 'vitest'
import { normalFingerprint } from '../certificate.ts'
import { responseSizeLimiter } from '../https.ts'
import { given, isSlowCall } from './fixtures.ts'

const isProbe = (template: string) => template.includes('{vmid}') && !isSlowCall(template)
const isList = (template: string) => !template.includes('{vmid}') && !isSlowCall(template)
const count = ({ entries }: RequestCounts, chosen: (template: string) => boolean) =>
  entries.reduce((sum, entry) => sum + (chosen(entry.template) ? entry.count : 0), 0)

test.concurrent(
  '[design 9] in steady state: at most 10 + 4 per node list calls and 2 probes per running guest a minute',
  async (context) => {
    const { lab, start, until, isComplete, pass, records } = await given(context, {
      nodes: 3,
      guests: 60,
      factor: 20,
    })
    const collector = start()
    await until('the whole picture', isComplete, 20)
    await pass(30)
    for (let minute = 0; minute < 3; minute++) {
      lab.control.resetRequests()
      await pass(60)
      const counted = lab.requests()
      const running = records('guests').filter((guest) => guest.status === 'running').length
      expect(count(counted, isList)).toBeLessThanOrEqual(10 + 4 * 3)
      expect(count(counted, isProbe)).toBeLessThanOrEqual(2 * running)
      expect(count(counted, isProbe)).toBeGreaterThan(running / 2)
    }
    for (const inFlight of Object.values(lab.requests().maxInFlight)) expect(inFlight).toBeLessThanOrEqual(8)

    const calls = collector.calls()
    expect(calls.name).toBe('main')
    expect(calls.deferredCalls).toBe(0)
    expect(Object.keys(calls.nodes).sort()).toEqual(lab.clusters[0]!.nodes.map(({ name }) => name))
    expect(calls.listCallsPerMinute).toBeGreaterThanOrEqual(6 + 3 * 3)
    expect(calls.listCallsPerMinute).toBeLessThanOrEqual(22)
  },
)

test.concurrent(
  '[design 9] new guests are asked soon, but at most five calls a second go to a node',
  async (context) => {
    const { lab, start, until, isComplete, pass } = await given(context, { nodes: 1, guests: 60, factor: 15 })
    start()
    await until('the whole picture', isComplete, 20)
    lab.control.resetRequests()
    await pass(5)
    const probes = count(lab.requests(), isProbe)
    expect(probes).toBeGreaterThan(10)
    expect(probes).toBeLessThanOrEqual(5 * 5 * 1.3 + 1)
  },
)

test.concurrent('[design 9] probes come at even distances, not in bursts', async (context) => {
  const { lab, start, until, isComplete, pass } = await given(context, { nodes: 1, guests: 60, factor: 15 })
  start()
  await until('the whole picture', isComplete, 20)
  await pass(70) // the first round and the pause after it
  const perSlice: number[] = []
  for (let slice = 0; slice < 8; slice++) {
    lab.control.resetRequests()
    await pass(5)
    perSlice.push(count(lab.requests(), isProbe))
  }
  const running = lab.control.guests().filter((guest) => guest.status === 'running').length
  expect(Math.max(...perSlice)).toBeLessThanOrEqual(Math.ceil((running / 30) * 5 * 1.3) + 1)
  expect(Math.max(...perSlice)).toBeGreaterThan(0)
})

test.concurrent(
  '[design 9] a locked guest is never probed, and asked again when the lock is gone',
  async (context) => {
    const { lab, start, until, guest, pass } = await given(context, { nodes: 2, guests: 12 })
    start()
    const busy = lab.control
      .guests()
      .find((one) => one.kind === 'qemu' && one.status === 'running' && !one.lock)!
    const container = lab.control
      .guests()
      .find((one) => one.kind === 'lxc' && one.status === 'running' && !one.lock)!
    const probes = () =>
      [`/nodes/*/qemu/${busy.vmid}/*`, `/nodes/*/lxc/${container.vmid}/*`].map(
        (path) => lab.requests({ path }).total,
      )
    await until('both are probed', () => probes().every((total) => total > 0), 60)
    lab.control.patchGuest(busy.vmid, { lock: 'backup' })
    lab.control.patchGuest(container.vmid, { lock: 'snapshot' })
    await until(
      'the locks are seen',
      () => Boolean(guest(busy.vmid)?.lock && guest(container.vmid)?.lock),
      15,
    )
    await pass(1)
    lab.control.resetRequests()
    await pass(150)
    expect(probes()).toEqual([0, 0])
    lab.control.patchGuest(busy.vmid, { lock: null })
    await until('it is asked again', () => probes()[0]! > 0, 150)
  },
)

test.concurrent(
  '[R19] a node that hangs for ten minutes costs few calls, and the others keep their interval within 10 %',
  async (context) => {
    const { lab, start, until, isComplete, pass, records, state, clock } = await given(context, {
      nodes: 3,
      guests: 18,
      factor: 60,
    })
    start()
    await until('the whole picture', isComplete, 30)
    await pass(30)
    const [first, second, third] = lab.clusters[0]!.nodes.map(({ name }) => name)
    lab.control.addFault({ kind: 'hang', node: first! })
    lab.control.resetRequests()
    const startedAt = clock.now()
    await pass(600)
    const minutes = (clock.now() - startedAt) / 60_000
    const listings = lab.requests({ path: '/cluster/resources' })
    const onOthers = listings.entries
      .filter(({ node }) => node !== first)
      .reduce((sum, entry) => sum + entry.count, 0)
    expect(onOthers / minutes).toBeGreaterThan(5.4)
    expect(onOthers / minutes).toBeLessThan(6.6)
    for (const node of [second!, third!]) {
      const statuses = lab.requests({ path: `/nodes/${node}/status` }).total
      expect(statuses / minutes, node).toBeGreaterThan(1.8)
      expect(statuses / minutes, node).toBeLessThan(2.2)
    }
    expect(lab.requests({ node: first! }).total).toBeLessThanOrEqual(30)
    expect(state().health).toBe('healthy')
    expect(records('nodes').find(({ node }) => node === first)).toMatchObject({
      status: 'online',
      connectionHealth: 'degraded',
    })
    expect(records('guests').every((guest) => guest.staleSince === undefined)).toBe(true)
  },
)

test.concurrent.for([
  { kind: 'status', status: 503 },
  { kind: 'reset' },
  { kind: 'status', status: 500 },
] as const)('[design 9] no fault makes us exceed the budget: %o everywhere', async (fault, context) => {
  const { lab, start, until, isComplete, pass } = await given(context, { nodes: 2, guests: 10, factor: 40 })
  start()
  await until('the whole picture', isComplete, 20)
  lab.control.addFault(fault)
  await pass(30)
  for (let minute = 0; minute < 2; minute++) {
    lab.control.resetRequests()
    await pass(60)
    const counted = lab.requests()
    expect(count(counted, isList)).toBeLessThanOrEqual(10 + 4 * 2)
    expect(count(counted, isProbe)).toBeLessThanOrEqual(2 * 10)
  }
})

const scale = Number(process.env['PULSE_TEST_SCALE'] ?? 1)
const floods = scale >= 10 ? 5 : 2
const ills: FaultSpec[] = [
  ...Array.from({ length: 2 * floods }, () => ({ kind: 'hang' }) as const),
  ...Array.from({ length: 2 * floods }, () => ({ kind: 'reset' }) as const),
  ...Array.from({ length: 2 * floods }, () => ({ kind: 'dribble' }) as const),
  ...Array.from({ length: floods }, () => ({ kind: 'huge' }) as const),
  ...Array.from({ length: floods }, () => ({ kind: 'broken-json' }) as const),
]
const wells = 2 * floods
/** Two answers of full size, and the usual size on every connection of the others. */
const mostHeldBytes = 2 * 16 * 1024 ** 2 + 6 * (ills.length + wells) * 512 * 1024

test.concurrent(
  `[R19] of ${ills.length + wells} sources ${ills.length} are ill: the other ${wells} keep their interval, and memory is bounded`,
  async (context) => {
    const count = ills.length + wells
    const { lab, start, pass, clock } = await given(context, {
      standalone: true,
      nodes: count,
      guests: 2 * count,
      factor: scale >= 10 ? 5 : 20,
    })
    const nodes = lab.clusters.map((cluster) => ({ cluster: cluster.name, ...cluster.nodes[0]! }))
    for (const [index, fault] of ills.entries()) {
      lab.control.addFault({ ...fault, cluster: nodes[wells + index]!.cluster })
    }
    for (const { cluster, url, fingerprint } of nodes) {
      start({ id: cluster, name: cluster, host: url, fingerprint: normalFingerprint(fingerprint) })
    }
    await pass(20)
    lab.control.resetRequests()
    const startedAt = clock.monotonic()
    for (let second = 0; second < 120; second++) {
      await pass(1)
      expect(responseSizeLimiter.heldBytes).toBeLessThanOrEqual(mostHeldBytes)
    }
    const minutes = (clock.monotonic() - startedAt) / 60_000
    for (const { cluster } of nodes.slice(0, wells)) {
      const listings = lab.requests({ cluster, path: '/cluster/resources' }).total
      expect(listings / minutes, cluster).toBeGreaterThan(5.4)
      expect(listings / minutes, cluster).toBeLessThan(6.6)
    }
  },
)
