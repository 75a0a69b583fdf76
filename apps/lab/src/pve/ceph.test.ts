import { describe, expect, test } from 'vitest'
import { tokenHeader } from '../fixtures-asking.ts'
import { aLab } from '../fixtures.ts'
import { haveFixtures, officialReturns, recording } from './official/fixtures.ts'
import { shapeDifferences } from './official/fixtures-shape.ts'
import { validate } from './official/fixtures-validate.ts'

interface Status {
  health: { status: string; checks: Record<string, { summary: { message: string } }> }
  osdmap: Record<string, unknown>
  pgmap: Record<string, number>
  quorum_names: string[]
}

const withCeph = { ceph: true, guests: 12 }
const statusPath = '/cluster/ceph/status'

test('[proxmox-api 2.15] without Ceph every call answers that it is not installed', async () => {
  const { ask } = await aLab({ guests: 3 })
  for (const path of [statusPath, '/nodes/pve1/ceph/pool', '/nodes/pve1/ceph/osd']) {
    expect(await ask(path)).toMatchObject({ status: 500, text: 'binary not installed: /usr/bin/ceph-mon' })
  }
})

test('[proxmox-api 2.15] a status is 0.7 MB, nearly all of it options of the managers', async () => {
  const { ask } = await aLab(withCeph)
  const { body, data } = await ask(statusPath)
  expect(body.length).toBeGreaterThan(550_000)
  expect(body.length).toBeLessThan(800_000)
  const { mgrmap: _, ...rest } = data as Record<string, unknown>
  expect(JSON.stringify(rest).length).toBeLessThan(8000)
  expect((await ask('/nodes/pve2/ceph/status')).status).toBe(200)
})

test('storages of Ceph exist on all nodes, and its disks have their OSDs', async () => {
  const { ask } = await aLab(withCeph)
  const storages = (await ask('/nodes/pve2/storage')).data as Record<string, unknown>[]
  expect(storages.filter(({ type }) => type === 'rbd' || type === 'cephfs')).toHaveLength(2)
  const disks = (await ask('/nodes/pve2/disks/list')).data as Record<string, unknown>[]
  expect(disks.filter(({ osdid }) => Number(osdid) >= 0).map((disk) => disk['osdid-list'])).toEqual([
    ['2'],
    ['3'],
  ])
})

test('a dead node takes its OSDs and its monitor down, and Ceph continues with a warning', async () => {
  const { lab, ask } = await aLab(withCeph)
  expect((await ask(statusPath)).data).toMatchObject({ health: { status: 'HEALTH_OK', checks: {} } })
  await lab.control.patchNode('pve3', { online: false })
  const { health, osdmap, quorum_names: quorum } = (await ask(statusPath)).data as Status
  expect(health.status).toBe('HEALTH_WARN')
  expect(Object.keys(health.checks)).toEqual(['MON_DOWN', 'OSD_DOWN', 'PG_DEGRADED'])
  expect(osdmap).toMatchObject({ num_osds: 6, num_up_osds: 4 })
  expect(quorum).toEqual(['pve1', 'pve2'])
  await lab.control.patchNode('pve2', { online: false })
  expect((await ask(statusPath)).status).toBe(500)
})

test('warnings and errors can be set from outside, and are gone after a reset', async () => {
  const { lab, ask } = await aLab(withCeph)
  lab.control.patchCluster({
    ceph: {
      checks: { OSD_FULL: { severity: 'HEALTH_ERR', message: '1 full osd(s)' } },
      downOsds: [1],
      used: 0.96,
    },
  })
  const { health, pgmap } = (await ask(statusPath)).data as Status
  expect(health.status).toBe('HEALTH_ERR')
  expect(health.checks.OSD_FULL!.summary.message).toBe('1 full osd(s)')
  expect(pgmap.bytes_used! / pgmap.bytes_total!).toBeCloseTo(0.96)
  await lab.control.reset()
  expect((await ask(statusPath)).data).toMatchObject({ health: { status: 'HEALTH_OK' } })
})

test('a warning without Ceph is refused', async () => {
  const { lab } = await aLab({ guests: 0 })
  expect(() => lab.control.patchCluster({ ceph: { used: 0.5 } })).toThrow('prod has no Ceph')
})

test('[proxmox-api 2.15] either audit right is enough; with neither it is refused', async () => {
  const { lab, ask } = await aLab(withCeph)
  expect(await ask(statusPath, { headers: tokenHeader(lab.credentials.powerless) })).toMatchObject({
    status: 403,
    text: 'Permission check failed (/, Sys.Audit|Datastore.Audit)',
  })
})

test('[proxmox-api 2.15] PVE 7: the map of OSDs is nested in itself, and pools have their old name too', async () => {
  const { ask } = await aLab({ ...withCeph, version: '7' })
  expect((await ask(statusPath)).data).toMatchObject({ osdmap: { osdmap: { num_osds: 6 } } })
  expect((await ask('/nodes/pve1/ceph/pools')).status).toBe(200)
})

if (!haveFixtures) console.log('skipped: no ../shared/fixtures')

describe.skipIf(!haveFixtures)('Ceph answers as recorded and documented', () => {
  test('pve8-cluster-ceph-status', async () => {
    const { ask } = await aLab({ ...withCeph, version: '8' })
    const except = [
      '.mgrmap.available_modules[].module_options.*',
      '.mgrmap.standbys[].available_modules[].module_options.*',
      '.monmap.features.*',
      '.health.checks.*',
      // Ceph omits rates while the cluster is idle.
      ...['read_bytes_sec', 'write_bytes_sec', 'read_op_per_sec', 'write_op_per_sec'].map(
        (rate) => `.pgmap.${rate}`,
      ),
    ]
    expect(
      shapeDifferences(recording('pve8-cluster-ceph-status').data, (await ask(statusPath)).data, except),
    ).toEqual([])
  })

  test.each(['/nodes/{node}/ceph/pool', '/nodes/{node}/ceph/osd'])('%s', async (path) => {
    const { ask } = await aLab(withCeph)
    const { data } = await ask(path.replace('{node}', 'pve1'))
    expect(validate(officialReturns('9.2.3').get(path)!, data)).toEqual([])
  })
})
