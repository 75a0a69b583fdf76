import { expect, test } from 'vitest'
import { aBackupServer } from '../appliance/fixtures.ts'

const noon = Date.parse('2026-07-01T12:00:00Z')
const atNoon = { guests: 12, now: () => noon }

test('[collection 2.2] one call has the sizes of all datastores, a month of them, and what garbage collection found', async () => {
  const { list, ask } = await aBackupServer(atNoon)
  const [main] = await list('/status/datastore-usage')
  expect(main).toMatchObject({ store: 'main', 'mount-status': 'nonremovable', 'backend-type': 'filesystem' })
  expect(Number(main!.used) + Number(main!.avail)).toBe(main!.total)
  expect(main!.history).toHaveLength(30)
  const { total, used, avail } = (await ask('/admin/datastore/main/status')).data as Record<string, number>
  expect({ total, used, avail }).toEqual({ total: main!.total, used: main!.used, avail: main!.avail })
  const verbose = (await ask('/admin/datastore/main/status?verbose=1')).data as Record<string, unknown>
  expect(verbose).toMatchObject({
    counts: { host: { groups: 3, snapshots: 12 }, other: null },
    'gc-status': {},
  })
})

test.each([
  ['2', { total: 0, used: 0, avail: -1, 'estimated-full-date': -1 }],
  ['3', { total: 0, used: 0, avail: 0, 'estimated-full-date': -1 }],
  ['4', {}],
] as const)('PBS %s: a datastore that fails says why, and has no sizes', async (pbsVersion, sizes) => {
  const { lab, ask, list } = await aBackupServer({ ...atNoon, pbsVersion })
  const error = 'unable to open chunk store \'offsite\' at "/mnt/offsite/.chunks" - No such file or directory'
  await lab.control.patchAppliance('pbs1', { datastores: { offsite: { error } } })
  const [main, offsite] = await list('/status/datastore-usage')
  expect(main).not.toHaveProperty('error')
  const { store, error: said, 'mount-status': _, 'backend-type': __, ...rest } = offsite!
  expect({ store, said, rest }).toEqual({ store: 'offsite', said: error, rest: sizes })
  for (const path of ['status', 'namespace', 'groups', 'snapshots', 'gc']) {
    expect(await ask(`/admin/datastore/offsite/${path}`)).toMatchObject({ status: 400, body: error })
  }
  expect((await list('/nodes/localhost/tasks?typefilter=garbage_collection&errors=1'))[0]).toMatchObject({
    status: error,
    worker_id: 'offsite',
  })
  await lab.control.patchAppliance('pbs1', { datastores: { offsite: { error: null } } })
  expect((await ask('/admin/datastore/offsite/status')).status).toBe(200)
})

test('[proxmox-api 4] the deduplication factor comes from the last collection; before the first one there is none', async () => {
  const { lab, asker, ask } = await aBackupServer({ ...atNoon, pbs: 2 })
  const gc = (await ask('/admin/datastore/main/gc')).data as Record<string, number>
  expect(gc['index-data-bytes']! / gc['disk-bytes']!).toBeGreaterThan(7)
  const second = lab.pbs[1]!
  const headers = {
    authorization: `PBSAPIToken=${second.credentials.tokenId}:${second.credentials.tokenSecret}`,
  }
  const unused = await asker.ask(second.url, '/admin/datastore/offsite/gc', { headers })
  expect(unused.data).toMatchObject({ upid: null, 'disk-bytes': 0, 'index-data-bytes': 0 })
})

test.each([
  ['2', 404],
  ['3', 200],
] as const)('PBS %s: /admin/gc answers %i', async (pbsVersion, status) => {
  const { ask } = await aBackupServer({ ...atNoon, pbsVersion })
  expect((await ask('/admin/gc')).status).toBe(status)
  expect((await ask('/admin/datastore/main/gc')).status).toBe(200)
})

test('[proxmox-api 0] an account that may audit one datastore does not see the other, and is refused when it asks for it', async () => {
  const { credentials, askAs } = await aBackupServer(atNoon)
  const asking = (path: string) => askAs(credentials.narrow, path)
  for (const path of ['/admin/datastore', '/status/datastore-usage', '/admin/gc']) {
    const stores = ((await asking(path)).data as { store: string }[]).map(({ store }) => store)
    expect({ path, stores }).toEqual({ path, stores: ['main'] })
  }
  expect((await asking('/admin/datastore/main/snapshots?ns=prod')).status).toBe(200)
  for (const path of ['status', 'namespace', 'groups', 'snapshots', 'gc']) {
    expect(await asking(`/admin/datastore/offsite/${path}`)).toMatchObject({
      status: 403,
      body: 'permission check failed',
    })
  }
  expect((await asking('/nodes/localhost/status')).status).toBe(403)
  expect((await asking('/nodes/localhost/tasks')).data).toEqual([])
  expect((await asking('/access/permissions')).data).toEqual({ '/datastore/main': { 'Datastore.Audit': 1 } })
})

test('a right can be revoked for one datastore alone, and granted again', async () => {
  const { lab, credentials, ask } = await aBackupServer(atNoon)
  const drop = (list: string[]) =>
    lab.control.patchAppliance('pbs1', { tokens: { [credentials.tokenId]: { drop: list } } })
  await drop(['Datastore.Audit@/datastore/offsite'])
  expect((await ask('/admin/datastore/offsite/snapshots')).status).toBe(403)
  expect((await ask('/admin/datastore/main/snapshots')).status).toBe(200)
  await drop([])
  expect((await ask('/admin/datastore/offsite/snapshots')).status).toBe(200)
})

test('an account that may read one namespace sees its datastore and that namespace', async () => {
  const { lab, credentials, ask, list } = await aBackupServer(atNoon)
  const stores = ['/datastore/offsite', '/datastore/main/org', '/datastore/main/sites']
  const drop = stores.map((path) => `Datastore.Audit@${path}`)
  await lab.control.patchAppliance('pbs1', { tokens: { [credentials.tokenId]: { drop } } })
  expect((await list('/admin/datastore')).map(({ store }) => store)).toEqual(['main'])
  expect((await list('/admin/datastore/main/namespace')).map(({ ns }) => ns)).toEqual(['', 'prod'])
  expect((await ask('/admin/datastore/main/snapshots?ns=org/eu')).status).toBe(403)
  expect((await ask('/admin/datastore/main/snapshots?ns=prod')).status).toBe(200)
})

test('storages of clusters are down with their backup server', async () => {
  const { lab, asker } = await aBackupServer(atNoon)
  const { tokenId, tokenSecret } = lab.credentials
  const headers = { authorization: `PVEAPIToken=${tokenId}=${tokenSecret}` }
  const askPve = (path: string) => asker.ask(lab.clusters[0]!.nodes[0]!.url, path, { headers })
  const activeOf = async () => {
    const storages = (await askPve('/nodes/pve1/storage')).data as { storage: string; active: number }[]
    return storages.filter(({ storage }) => storage.startsWith('pbs-')).map(({ active }) => active)
  }
  expect(await activeOf()).toEqual([1, 1])
  const config = (await askPve('/storage?type=pbs')).data as { server: string; fingerprint: string }[]
  const { address, fingerprint } = lab.pbs[0]!
  expect(config).toMatchObject([
    { server: address, fingerprint: fingerprint.toLowerCase() },
    { server: address },
  ])
  await lab.control.patchAppliance('pbs1', { datastores: { offsite: { error: 'no such device' } } })
  expect(await activeOf()).toEqual([1, 0])
  expect(await askPve('/nodes/pve1/storage/pbs-offsite/content')).toMatchObject({
    status: 500,
    text: "storage 'pbs-offsite' is not online",
  })
  await lab.control.patchAppliance('pbs1', { online: false })
  expect(await activeOf()).toEqual([0, 0])
  await lab.control.reset()
  expect(await activeOf()).toEqual([1, 1])
})

test('the node has figures for those who audit it, under its own name and as localhost', async () => {
  const { ask } = await aBackupServer(atNoon)
  const { memory } = (await ask('/nodes/localhost/status')).data as { memory: Record<string, number> }
  expect(memory.used! + memory.free!).toBe(memory.total)
  expect((await ask('/nodes/pbs1/status')).status).toBe(200)
  expect((await ask('/nodes/elsewhere/status')).status).toBe(400)
})
