import { expect, test } from 'vitest'
import { aBackupServer, listIn, pbsToken } from '../appliance/fixtures.ts'
import type { Item } from '../appliance/fixtures.ts'

/** Noon, when every nightly backup is finished and verified. */
const noon = Date.parse('2026-07-01T12:00:00Z')
const atNoon = { now: () => noon }

const namesOf = (snapshots: readonly Item[]) =>
  snapshots.map((one) => [one['backup-type'], one['backup-id'], one['backup-time']].join('/'))

test('[proxmox-api 4] namespaces are listed with all below them, seven levels deep, the root first', async () => {
  const { list, ask } = await aBackupServer(atNoon)
  const paths = (await list('/admin/datastore/main/namespace')).map(({ ns }) => ns)
  expect(paths.slice(0, 2)).toEqual(['', 'prod'])
  expect(paths).toContain('org/eu/de/north/site-1/rack-2/lab')
  expect(
    (await list('/admin/datastore/main/namespace?parent=org/eu&max-depth=1')).map(({ ns }) => ns),
  ).toEqual(['org/eu', 'org/eu/de'])
  expect(await ask('/admin/datastore/main/namespace?max-depth=9')).toMatchObject({ status: 400 })
})

test('[proxmox-api 4] one call shows one namespace, and every snapshot of it', async () => {
  const { list, ask } = await aBackupServer(atNoon)
  const inRoot = await list('/admin/datastore/main/snapshots')
  expect(new Set(inRoot.map((one) => one['backup-type']))).toEqual(new Set(['host']))
  const inProd = await list('/admin/datastore/main/snapshots?ns=prod')
  expect(new Set(inProd.map((one) => one['backup-type']))).toEqual(new Set(['vm', 'ct']))
  expect(new Set(namesOf(inProd)).size).toBe(inProd.length)
  const groups = await list('/admin/datastore/main/groups?ns=prod')
  expect(groups.reduce((sum, group) => sum + Number(group['backup-count']), 0)).toBe(inProd.length)
  const one = await list('/admin/datastore/main/snapshots?ns=prod&backup-type=vm&backup-id=100')
  expect(one.map((snapshot) => snapshot['backup-id'])).toEqual(['100', '100', '100'])
  expect((await ask('/admin/datastore/main/snapshots?ns=nowhere')).status).toBe(404)
  expect(await ask('/admin/datastore/nothing/snapshots')).toMatchObject({
    status: 400,
    body: "no such datastore 'nothing'",
  })
})

test('a cluster lists the same backups of its storage as the backup server in that namespace', async () => {
  const { lab, asker, list } = await aBackupServer(atNoon)
  const { tokenId, tokenSecret } = lab.credentials
  const headers = { authorization: `PVEAPIToken=${tokenId}=${tokenSecret}` }
  const content = '/nodes/pve1/storage/pbs-main/content?content=backup'
  const volumes = listIn(await asker.ask(lab.clusters[0]!.nodes[0]!.url, content, { headers }))
  const inCluster = volumes.map(
    ({ subtype, vmid, ctime }) => `${subtype === 'qemu' ? 'vm' : 'ct'}/${vmid}/${ctime}`,
  )
  const inNamespace = namesOf(await list('/admin/datastore/main/snapshots?ns=prod'))
  expect(inCluster.sort()).toEqual(inNamespace.sort())
})

test('[collection 1.17] clusters that share a namespace put equal numbers into one group', async () => {
  const { lab, list } = await aBackupServer({ ...atNoon, nodes: 2, clusters: 2, guests: 80 })
  const shared = await list('/admin/datastore/offsite/snapshots')
  const commentsOf = (id: string) =>
    shared.filter((one) => one['backup-id'] === id).map(({ comment }) => comment)
  const both = [...new Set(shared.map((one) => String(one['backup-id'])))].filter((id) => {
    const names = ['prod', 'edge'].map((cluster) => {
      const guest = lab.control.guests(cluster).find(({ vmid }) => String(vmid) === id)
      return guest?.name
    })
    return names.every((name) => name !== undefined && commentsOf(id).includes(name))
  })
  expect(both.length).toBeGreaterThan(0)
  const groups = await list('/admin/datastore/offsite/groups')
  expect(groups.filter((group) => group['backup-id'] === both[0])).toHaveLength(1)
  expect(new Set(namesOf(shared)).size).toBe(shared.length)
})

test('a running backup has no size, no index and no verification', async () => {
  const { list } = await aBackupServer(atNoon)
  const [newest, before] = await list('/admin/datastore/main/snapshots?ns=prod&backup-id=116&backup-type=vm')
  expect(newest).not.toHaveProperty('size')
  expect(newest).not.toHaveProperty('verification')
  expect(JSON.stringify(newest!.files)).not.toContain('index.json.blob')
  expect(before).toMatchObject({ size: expect.any(Number) as number })
  expect(JSON.stringify(before!.files)).toContain('index.json.blob')
})

test('[proxmox-api 4] verified, failed and unverified, protected and encrypted snapshots are there', async () => {
  const { list } = await aBackupServer({ ...atNoon, guests: 300 })
  const all = await list('/admin/datastore/main/snapshots?ns=prod')
  const states = all.map(
    ({ verification }) => (verification as { state: string } | undefined)?.state ?? 'none',
  )
  expect(new Set(states)).toEqual(new Set(['ok', 'failed', 'none']))
  expect(new Set(all.map((one) => one.protected))).toEqual(new Set([true, false]))
  const encrypted = all.find(({ fingerprint }) => fingerprint !== undefined)!
  const modes = (encrypted.files as Item[]).map((file) => file['crypt-mode'])
  expect(modes).toContain('encrypt')
  expect(all.every(({ owner }) => owner === 'pve@pbs!pve')).toBe(true)
})

test('the irregularities of a guest appear in its next backup list', async () => {
  const { lab, list } = await aBackupServer(atNoon)
  const of = async (vmid: number) => list(`/admin/datastore/main/snapshots?ns=prod&backup-id=${vmid}`)
  const day = 86_400
  const ageOf = async (vmid: number) => noon / 1000 - Number((await of(vmid))[0]!['backup-time'])
  expect(await ageOf(100)).toBeLessThan(day)
  lab.control.patchGuest(100, { backup: { staleDays: 9 } })
  expect(await ageOf(100)).toBeGreaterThan(9 * day)
  lab.control.patchGuest(100, { backup: { verification: 'failed' } })
  expect((await of(100))[0]).toMatchObject({ verification: { state: 'failed' } })
  lab.control.patchGuest(100, { backup: { verification: 'none' } })
  expect((await of(100))[0]).not.toHaveProperty('verification')
  lab.control.patchGuest(100, { backup: { fails: 'unable to freeze' } })
  expect(await ageOf(100)).toBeGreaterThan(day)
  lab.control.patchGuest(100, { backup: { none: true } })
  expect(await of(100)).toEqual([])
  await lab.control.reset()
  expect(await ageOf(100)).toBeLessThan(day)
})

test('a second server has copies of the first, and an unused datastore', async () => {
  const { lab, asker, list } = await aBackupServer({ ...atNoon, pbs: 2 })
  const second = lab.pbs[1]!
  const asking = async (path: string) =>
    listIn(await asker.ask(second.url, path, { headers: pbsToken(second.credentials) }))
  expect((await asking('/admin/datastore/main/namespace')).map(({ ns }) => ns)).toEqual([
    '',
    'copies',
    'copies/prod',
  ])
  const copies = namesOf(await asking('/admin/datastore/main/snapshots?ns=copies/prod'))
  const originals = new Set(namesOf(await list('/admin/datastore/main/snapshots?ns=prod')))
  expect(copies.length).toBeGreaterThan(20)
  expect(copies.every((name) => originals.has(name))).toBe(true)
  expect(copies.length).toBeLessThan(originals.size)
  expect(await asking('/admin/datastore/offsite/snapshots')).toEqual([])
})

test('--backups sets the number of snapshots in 20 namespaces, independently of the guests', async () => {
  const { list } = await aBackupServer({ ...atNoon, guests: 30, backups: 3000 })
  const paths = (await list('/admin/datastore/main/namespace')).map(({ ns }) => String(ns))
  expect(paths).toHaveLength(20)
  const inMain = await Promise.all(paths.map((ns) => list(`/admin/datastore/main/snapshots?ns=${ns}`)))
  const offsite = await list('/admin/datastore/offsite/snapshots')
  expect(inMain.flat().length + offsite.length).toBe(3000)
})

test('a long list is streamed, and made no further than the client reads', async () => {
  const { ask, lab } = await aBackupServer({ ...atNoon, guests: 30, backups: 3000 })
  const answer = await ask('/admin/datastore/main/snapshots?ns=sites/site-01')
  expect(answer.headers).not.toHaveProperty('content-length')
  expect(answer.headers['transfer-encoding']).toBe('chunked')
  lab.control.addFault({ kind: 'broken-json', path: '/admin/datastore/main/snapshots', times: 1 })
  const broken = await ask('/admin/datastore/main/snapshots?ns=sites/site-01')
  expect(Math.abs(broken.body.length * 2 - answer.body.length)).toBeLessThan(3)
})
