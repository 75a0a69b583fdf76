import { expect, test } from 'vitest'
import { pbsToken } from '../appliance/fixtures.ts'
import { aLab } from '../fixtures.ts'
import { nightScenarios } from './night-scenarios.ts'

const everything = { guests: 120, ceph: true, pbs: 1, pmg: 2, pmgCluster: true, dockerHosts: 3 }

const pve = [
  ['stale-backups', '/nodes/pve1/storage/pbs-main/content?content=backup'],
  ['no-backup', '/cluster/backup-info/not-backed-up'],
  ['failing-disk', '/nodes/pve1/disks/list'],
  ['degraded-pool', '/nodes/pve1/disks/zfs/tank'],
  ['ceph-warning', '/cluster/ceph/status'],
  ['ceph-error', '/cluster/ceph/status'],
  ['storage-inactive', '/nodes/pve3/storage'],
  ['half-dead-cluster', '/cluster/status'],
] as const

test('every scenario can be played, has a visible effect, and ends with a reset', async () => {
  const { lab, ask, asker } = await aLab({ ...everything, now: () => Date.parse('2026-07-01T12:00:00Z') })
  const [pbs] = lab.pbs
  const pbsBody = async (path: string) =>
    (await asker.ask(pbs!.url, path, { headers: pbsToken(pbs!.credentials) })).body
  const shows: Record<string, () => Promise<string>> = {
    ...Object.fromEntries(pve.map(([name, path]) => [name, async () => (await ask(path)).body])),
    'verification-fails': () => pbsBody('/admin/verify'),
    'datastore-fails': () => pbsBody('/admin/datastore/offsite/status'),
    'backup-fails': () => tasksOf('pve1'),
    'replication-fails': async () => {
      const nodes = ['pve1', 'pve2', 'pve3']
      const answers = await Promise.all(nodes.map((node) => ask(`/nodes/${node}/replication`)))
      return answers.map(({ body }) => body).join()
    },
    'namespace-hangs': () => Promise.resolve(String(lab.control.faults().length)),
    'gateway-down': () => Promise.resolve(String(lab.pmg[1]!.online)),
  }
  const tasksOf = async (node: string) => (await ask(`/nodes/${node}/tasks?typefilter=vzdump&errors=1`)).body
  // Other files test the growing queue, the agent that fails to stop, and the nights.
  const elsewhere = ['queue-grows', 'stop-fails', ...Object.keys(nightScenarios)]
  const docker = () => {
    const hosts = lab.docker
    return Promise.resolve(
      JSON.stringify([hosts, ...hosts.map(({ name }) => lab.control.dockerReport(name))]),
    )
  }
  const names = lab.control.scenarios().map(({ name }) => name)
  for (const name of names.filter((one) => !elsewhere.includes(one))) {
    shows[name] ??= docker
    const before = await shows[name]!()
    await lab.control.play(name)
    expect({ name, shows: (await shows[name]!()) !== before }).toEqual({ name, shows: true })
    await lab.control.reset()
    expect({ name, isOver: (await shows[name]!()) === before }).toEqual({ name, isOver: true })
  }
})

test('a scenario for something that the lab does not have is refused', async () => {
  const { lab } = await aLab({ guests: 0 })
  await expect(lab.control.play('queue-grows')).rejects.toThrow('this lab has no mail gateway')
  await expect(lab.control.play('ceph-error')).rejects.toThrow('prod has no Ceph')
  await expect(lab.control.play('container-exits')).rejects.toThrow('this lab has no container host')
  await expect(lab.control.play('toString')).rejects.toThrow(
    'no scenario toString; there is verification-fails',
  )
})

test('a fault can select requests by parameter: one namespace hangs, the others answer', async () => {
  const { lab, asker } = await aLab({ pbs: 1, guests: 12 })
  const { url, credentials } = lab.pbs[0]!
  const asking = (ns: string, signal?: AbortSignal) =>
    asker.ask(url, `/admin/datastore/main/snapshots?ns=${encodeURIComponent(ns)}`, {
      headers: pbsToken(credentials),
      ...(signal && { signal }),
    })
  await lab.control.play('namespace-hangs')
  await expect(asking('prod', AbortSignal.timeout(150))).rejects.toThrow(/abort/)
  expect((await asking('org/eu')).status).toBe(200)
  expect((await asking('')).status).toBe(200)
})
