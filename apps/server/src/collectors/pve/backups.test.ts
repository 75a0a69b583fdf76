import type { Protection } from '@pulse/contract'
import { createEstate } from '@pulse/domain'
import { expect, test } from 'vitest'
import { usualPace } from '../source.ts'
import { given, isSlowCall, type Given } from './fixtures.ts'

const everyStorage = ['local', 'nas-backup', 'pbs-main', 'pbs-offsite', 'usb-disk']
const storagesOf = ({ backups }: Given) =>
  [...new Set(backups('storageBackups').map(({ storage }) => storage))].sort()
const asksContent = ({ lab }: Given, storage: string) =>
  lab.requests({ path: `/nodes/*/storage/${storage}/content` }).total

/** As a client sees it: joined from all observations. */
function protectionOf({ latest }: Given, vmid: number): Protection | undefined {
  const estate = createEstate()
  estate.observe('c1', latest().records)
  return estate.tables.protections.get(`c1:${vmid}`)
}

test.concurrent(
  '[facts 1.17] backups on storages: each list is read once, of shared ones by asking one node',
  async (context) => {
    const here = await given(context, { nodes: 2, guests: 40, factor: 40 })
    here.start()
    await here.until('all that can be read', () => storagesOf(here).join() === everyStorage.join(), 60)
    for (const shared of ['nas-backup', 'pbs-main']) expect(asksContent(here, shared)).toBe(1)
    expect(asksContent(here, 'local')).toBeLessThanOrEqual(2)

    const all = here.backups('storageBackups')
    const [onServer] = all.filter(({ storage }) => storage === 'pbs-main')
    expect(onServer).toMatchObject({ isPBS: true, id: `main-${onServer!.volid}`, instance: 'main' })
    expect(onServer!.ctime * 1000).toBe(Date.parse(onServer!.time))
    const file = all.find(({ storage, type }) => storage === 'nas-backup' && type === 'qemu')!
    expect(file).toMatchObject({ isPBS: false, verified: false, format: 'vma.zst' })
    // For a shared storage, the node is the guest's, not the one that was queried.
    const guest = here.guest(file.vmid)
    if (guest) expect(file.node).toBe(guest.node)
    expect(all.every(({ volid }) => /backup/.test(volid))).toBe(true)
  },
)

test.concurrent(
  '[facts 6.5.46] what is still being written is no backup yet, and a run under way is one',
  async (context) => {
    const here = await given(context, { nodes: 2, guests: 40, factor: 40 })
    here.start()
    await here.until('its storage', () => storagesOf(here).includes('pbs-main'), 60)
    await here.until('the runs', () => here.backups('backupTasks').some(({ vmid }) => vmid === 116), 60)
    const run = here.backups('backupTasks').find(({ vmid, endTime }) => vmid === 116 && !endTime)!
    expect(run).toMatchObject({ status: 'RUNNING', type: 'vzdump' })
    const newest = (vmid: number) =>
      Math.max(...here.backups('storageBackups').flatMap((one) => (one.vmid === vmid ? [one.ctime] : [])))
    expect(newest(116)).toBeLessThan(Date.parse(run.startTime) / 1000)
    await here.until('those of each node', () => here.backups('backupTasks').length > 20, 60)
    for (const { status, error, endTime } of here.backups('backupTasks'))
      expect(error !== undefined).toBe(endTime !== undefined && !/^(OK|WARNINGS)/.test(status))
  },
)

test.concurrent(
  'how a guest is protected: in a job or not, its newest backup and how good it is, a failure of last night',
  async (context) => {
    const here = await given(context, { nodes: 2, guests: 60, factor: 40 })
    here.start()
    await here.until('its backups', () => storagesOf(here).includes('pbs-main'), 60)
    await here.until('the runs', () => here.backups('backupTasks').some(({ vmid }) => vmid === 120), 60)
    await here.until('the jobs', () => protectionOf(here, 105)?.inJob === false, 60)
    expect(protectionOf(here, 101)?.inJob).toBe(true)
    expect(protectionOf(here, 120)?.failed?.error).toEqual(expect.any(String))
    const broken = protectionOf(here, 124)!
    expect(broken.newest).toMatchObject({ storage: 'pbs-main', verification: 'failed' })
    expect(broken.newestGood!.at).toBeLessThan(broken.newest!.at)
    const days = (here.clock.now() - protectionOf(here, 134)!.newest!.at) / 86_400_000
    expect(days).toBeGreaterThan(10)
  },
)

test.concurrent('[facts 1.17] a run over several guests says in its log how each fared', async (context) => {
  const here = await given(context, { nodes: 1, guests: 30, factor: 60 })
  here.start()
  const read = () => here.backups('backupTasks').filter(({ guests }) => guests && guests.length > 0)
  await here.until('a log', () => read().length > 0, 60)
  expect(read()[0]).toMatchObject({ vmid: 0, guests: expect.arrayContaining([{ vmid: expect.any(Number) }]) })
})

test.concurrent(
  '[facts 1.17] snapshots of guests that run and of those that do not, without the pseudo entry',
  async (context) => {
    const here = await given(context, { nodes: 1, guests: 20, factor: 60 })
    const guests = here.lab.control.guests().filter(({ template, lock }) => !template && lock === undefined)
    const running = guests.filter(({ status }) => status === 'running').slice(0, 4)
    for (const { vmid } of running) here.lab.control.patchGuest(vmid, { snapshots: 2 })
    here.start()
    const known = () => new Set(here.backups('guestSnapshots').map(({ vmid }) => vmid))
    await here.until('those of running ones', () => running.every(({ vmid }) => known().has(vmid)), 900)
    const [one] = here.backups('guestSnapshots')
    expect(one).toMatchObject({ id: `main-${one!.node}-${one!.vmid}-${one!.name}`, instance: 'main' })
    expect(here.backups('guestSnapshots').every(({ name }) => name !== 'current')).toBe(true)
    const gone = running[0]!.vmid
    here.lab.control.deleteGuest(gone)
    await here.until('it goes with its guest', () => !known().has(gone), 100)
  },
)

test.concurrent(
  'a storage that cannot be read keeps its backups, marked with the time, and says which it is',
  async (context) => {
    const here = await given(context, { nodes: 2, guests: 40, factor: 60 })
    here.start()
    await here.until('all', () => storagesOf(here).length === everyStorage.length, 60)
    const of = (storage: string) => here.backups('storageBackups').filter((one) => one.storage === storage)
    const before = of('nas-backup').length
    here.lab.control.patchStorage('nas-backup', { active: false })
    await here.until('the mark', () => of('nas-backup').every(({ staleSince }) => staleSince), 900)
    expect(of('nas-backup')).toHaveLength(before)
    expect(of('pbs-main').every(({ staleSince }) => staleSince === undefined)).toBe(true)
    const unreadable = () =>
      here
        .state()
        .unreadable?.map(({ what, error }) => `${what}: ${error}`)
        .join()
    await here.until(
      'the reason',
      () => /backups of storage nas-backup: .*not online/.test(unreadable() ?? ''),
      2_000,
    )
    here.lab.control.patchStorage('nas-backup', { active: null })
    await here.until('it is well again', () => of('nas-backup').every((one) => !one.staleSince), 900)
    expect(unreadable()).toBeUndefined()
  },
)

test.concurrent(
  'a node that is off: its own backups stay, marked; shared ones are asked of another',
  async (context) => {
    const here = await given(context, { nodes: 2, guests: 40, factor: 60 })
    here.start()
    await here.until('all', () => storagesOf(here).length === everyStorage.length, 60)
    const { name } = here.lab.clusters[0]!.nodes[0]!
    const own = () =>
      here.backups('storageBackups').filter(({ node, storage }) => node === name && storage === 'usb-disk')
    const before = own().length
    await here.lab.control.patchNode(name, { online: false })
    await here.until('the mark', () => own().every(({ staleSince }) => staleSince !== undefined), 120)
    expect(own()).toHaveLength(before)
    here.lab.control.resetRequests()
    await here.until(
      'the shared ones',
      () => ['nas-backup', 'pbs-main'].every((one) => asksContent(here, one) > 0),
      1_200,
    )
    expect(
      here.lab.requests({ node: name }).entries.filter(({ template }) => /content/.test(template)),
    ).toEqual([])
  },
)

test.concurrent(
  '[facts 1.2] without the right to see backup files, the page says so, and it is no error',
  async (context) => {
    const here = await given(context, { nodes: 1, guests: 20, factor: 40 })
    here.lab.control.patchToken(here.lab.credentials.tokenId, {
      drop: ['Datastore.Allocate', 'Datastore.AllocateSpace'],
    })
    here.start()
    await here.until('it is shown', () => here.state().unreadable !== undefined, 120)
    expect(here.state().unreadable).toEqual([
      {
        what: 'storage backups',
        error: 'Datastore.Allocate is missing on /storage: backup files will not be listed',
        right: 'Datastore.Allocate on /storage',
        since: expect.any(Number),
      },
    ])
    expect(here.state()).toMatchObject({ health: 'healthy' })
    expect(here.state()).not.toHaveProperty('error')
  },
)

test.concurrent(
  'backups are not asked for when a switch or the settings say so, and go at once',
  async (context) => {
    let backupsMs: number | undefined = 90_000
    const { backupsMs: _, ...rest } = usualPace
    const pace = () => ({ ...rest, ...(backupsMs !== undefined && { backupsMs }) })
    const here = await given(context, { nodes: 1, guests: 20, factor: 40, pace })
    const collector = here.start()
    const kinds = ['pveBackups', 'protections'] as const
    const known = () => kinds.map((kind) => here.records(kind).length > 0)
    await here.until('some', () => known().every(Boolean), 60)
    backupsMs = undefined
    collector.refresh()
    await here.until('none', () => !known().some(Boolean), 20)
    expect(here.state().switchedOff).toContain('backupPolling')
    here.lab.control.resetRequests()
    await here.pass(120)
    for (const path of ['/nodes/*/storage/*/content', '/nodes/*/tasks', '/cluster/tasks', '/cluster/backup'])
      expect(here.lab.requests({ path }).total).toBe(0)
    backupsMs = 90_000
    collector.refresh()
    await here.until('some again', () => known().every(Boolean), 90)
    collector.apply({ name: 'main', flags: { monitorBackups: false } })
    await here.until('none again', () => !known().some(Boolean), 20)
  },
)

test.concurrent('with all parts on, a cluster asks 10 + 4 per node a minute at most', async (context) => {
  const here = await given(context, { nodes: 3, guests: 30, factor: 30, ceph: true })
  const collector = here.start({ flags: { monitorPhysicalDisks: true } })
  await here.until('the whole picture', here.isComplete, 20)
  await here.until('the disks', () => here.records('physicalDisks').length > 0, 60)
  await here.pass(60) // the first looks are complete
  const isOther = (template: string) => template.includes('{vmid}') || isSlowCall(template)
  for (let minute = 0; minute < 12; minute++) {
    here.lab.control.resetRequests()
    await here.pass(60)
    const lists = here.lab
      .requests()
      .entries.reduce((sum, { template, count }) => sum + (isOther(template) ? 0 : count), 0)
    expect(lists).toBeLessThanOrEqual(10 + 4 * 3)
  }
  const { parts, budget } = collector.calls()
  expect(budget.listCallsPerMinute).toBeLessThanOrEqual(10 + 4 * 3)
  expect(parts.map(({ part }) => part)).toEqual(
    expect.arrayContaining(['disks', 'ceph', 'storage backups', 'backup runs', 'backup jobs', 'replication']),
  )
})
