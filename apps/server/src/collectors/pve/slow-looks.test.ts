import { expect, test } from 'vitest'
import { usualPace } from '../source.ts'
import { given, type Given } from './fixtures.ts'

const minute = 60_000
const snapshotCalls = ({ lab }: Given, vmid: number) =>
  lab.requests({ path: `/nodes/*/*/${vmid}/snapshot` }).total
/** Guests that may be polled: not the locked ones. */
const askable = ({ lab }: Given) =>
  lab.control.guests().filter(({ template, lock }) => !template && lock === undefined)
const withSnapshots = (here: Given) => new Set(here.backups('guestSnapshots').map(({ vmid }) => vmid))

test('[design 9] at 500 guests all snapshots are known within a minute of the start, each guest asked once', async (context) => {
  const here = await given(context, { nodes: 2, guests: 500, factor: 20 })
  const guests = askable(here)
  for (const { vmid } of guests) here.lab.control.patchGuest(vmid, { snapshots: 1 })
  here.start()
  await here.until('all snapshots', () => guests.every(({ vmid }) => withSnapshots(here).has(vmid)), 60)
  await here.until('the end of the first round', () => here.state().reading === undefined, 15)
  expect(guests.map(({ vmid }) => snapshotCalls(here, vmid)).filter((calls) => calls !== 1)).toEqual([])
  for (const inFlight of Object.values(here.lab.requests().maxInFlight))
    expect(inFlight).toBeLessThanOrEqual(8)
})

test.concurrent(
  'guests that are off are asked at once like those that run, and later evenly, once in half an hour',
  async (context) => {
    const here = await given(context, { nodes: 1, guests: 24, factor: 120 })
    const guests = askable(here)
    for (const { vmid } of guests) here.lab.control.patchGuest(vmid, { snapshots: 1, status: 'stopped' })
    here.start()
    await here.until('all snapshots', () => guests.every(({ vmid }) => withSnapshots(here).has(vmid)), 60)
    here.lab.control.resetRequests()
    const calls = () => guests.map(({ vmid }) => snapshotCalls(here, vmid))
    for (let minutes = 0; minutes < 30; minutes++) {
      const before = calls().reduce((sum, one) => sum + one, 0)
      await here.pass(60)
      expect(calls().reduce((sum, one) => sum + one, 0) - before).toBeLessThanOrEqual(2)
    }
    expect(Math.min(...calls())).toBeGreaterThanOrEqual(1)
    expect(Math.max(...calls())).toBeLessThanOrEqual(2)
  },
)

test.concurrent(
  'while the first round goes on, the source says how many guests it has asked for their snapshots',
  async (context) => {
    const seen: { what: string; done: number; of: number }[] = []
    const here = await given(context, {
      nodes: 1,
      guests: 120,
      factor: 10,
      onObserve: ({ state }) => void seen.push(...(state?.reading ?? [])),
    })
    here.start()
    await here.until('a round under way', () => seen.some(({ done }) => done > 0), 30)
    await here.until('its end', () => here.state().reading === undefined, 60)
    const guests = askable(here).length
    expect(seen.at(-1)!.of).toBe(guests)
    expect(seen.map(({ done }) => done)).toEqual(seen.map(({ done }) => done).toSorted((a, b) => a - b))
    expect(seen.every(({ what, done, of }) => what === 'guest snapshots' && done < of)).toBe(true)
    await here.pass(60)
    expect(here.state().reading).toBeUndefined()
  },
)

test.concurrent(
  '[design 9] the temperature of every disk of a node is read within a minute, and again after ten',
  async (context) => {
    const here = await given(context, { nodes: 1, guests: 2, factor: 120 })
    const [node] = here.lab.clusters[0]!.nodes
    await here.lab.control.patchNode(node!.name, { disks: { '/dev/sda': { wearout: 0 } } })
    here.start({ flags: { monitorPhysicalDisks: true } })
    // A disk on a USB bridge reports no temperature.
    const all = () => here.records('physicalDisks').filter(({ devPath }) => devPath !== '/dev/sdh')
    const isWhole = () => all().length > 0 && all().every(({ temperature }) => temperature > 0)
    await here.until('all', isWhole, 60)
    expect(all()).toHaveLength(7)
    here.lab.control.resetRequests()
    for (let passed = 0; passed < 1_800; passed += 300) {
      await here.pass(300)
      expect(all().find(({ devPath }) => devPath === '/dev/sda')!.wearout).toBe(0)
      expect(isWhole()).toBe(true)
    }
    const asked = here.lab.requests({ path: '/nodes/*/disks/smart' }).total
    expect(asked).toBeGreaterThanOrEqual(2 * 8)
    expect(asked).toBeLessThanOrEqual(4 * 8)
  },
)

test.concurrent('[design 9] the state of a pool is two minutes old at most', async (context) => {
  const here = await given(context, { nodes: 1, guests: 2, factor: 60 })
  here.start()
  const row = () => here.records('storage').find(({ storage }) => storage === 'local-zfs')
  await here.until('the pool', () => row()?.zfsPool !== undefined, 60)
  const [node] = here.lab.clusters[0]!.nodes
  for (const health of ['DEGRADED', 'ONLINE', 'DEGRADED']) {
    await here.pass(37)
    await here.lab.control.patchNode(node!.name, { pools: { rpool: { health } } })
    await here.until(health, () => row()!.zfsPool!.state === health, 125)
  }
})

test.concurrent(
  'a backup polling interval of 80 minutes holds for snapshots, runs, jobs and replication',
  async (context) => {
    const pace = () => ({ ...usualPace, backupsMs: 80 * minute })
    const here = await given(context, { nodes: 1, guests: 6, factor: 600, pace })
    here.start()
    const guests = askable(here)
    await here.until('the first round', () => guests.every(({ vmid }) => snapshotCalls(here, vmid) > 0), 90)
    await here.pass(120)
    here.lab.control.resetRequests()
    await here.pass(65 * 60)
    for (const path of [
      '/cluster/tasks',
      '/cluster/backup',
      '/cluster/backup-info/*',
      '/nodes/*/replication',
    ])
      expect(here.lab.requests({ path }).total, path).toBe(0)
    for (const path of ['/nodes/*/tasks', '/nodes/*/storage/*/content'])
      expect(here.lab.requests({ path }).total, path).toBe(0)
    expect(Math.max(...guests.map(({ vmid }) => snapshotCalls(here, vmid)))).toBeLessThanOrEqual(1)
    for (const kind of ['pveBackups', 'replicationJobs', 'protections'] as const)
      expect(here.records(kind).filter(({ staleSince }) => staleSince !== undefined)).toEqual([])
  },
)
