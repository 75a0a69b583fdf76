import { PlainState } from '@pulse/contract'
import { expect, test } from 'vitest'
import { meta, now, tables } from './fixtures-plain.ts'
import { toPlain } from './plain.ts'

const aNode = {
  id: 'home-pve1',
  instance: 'home',
  node: 'pve1',
  name: 'pve1',
  displayName: 'pve1',
  type: 'node',
  status: 'online',
  loadAverage: [],
  connectionHealth: 'healthy',
  source: 'pve-1',
}

const aStorage = {
  id: 'home-pve1-local',
  instance: 'home',
  node: 'pve1',
  storage: 'local',
  name: 'local',
  type: 'dir',
  content: 'iso',
  status: 'disabled',
  shared: false,
  enabled: false,
  active: false,
  source: 'pve-1',
}

const guest = {
  instance: 'home',
  node: 'pve1',
  cpu: 0.5,
  cpus: 2,
  template: false,
  source: 'pve-1',
  status: 'running',
}

test('[facts/collection 4.6] every list exists, also when there is nothing', () => {
  const plain = toPlain(tables({}), meta, now)
  expect(PlainState.parse(plain)).toEqual(plain)
  expect(plain).toMatchObject({
    nodes: [],
    vms: [],
    containers: [],
    activeAlerts: [],
    recentlyResolved: [],
    metrics: [],
    backups: { pve: { backupTasks: [], storageBackups: [], guestSnapshots: [] }, pbs: [], pmg: [] },
  })
})

test('[facts/collection 4.6] guests are split by type, in order of vmid, with the old field names beside the new', () => {
  const plain = toPlain(
    tables({
      guests: {
        a: {
          ...guest,
          id: 'home-pve1-101',
          vmid: 101,
          name: 'b',
          type: 'qemu',
          memory: { total: 400, used: 100, free: 300, usage: 25 },
          disk: { total: 1000 },
          startedAt: now - 90_000,
          diskRead: 12.6,
        },
        b: { ...guest, id: 'home-pve1-100', vmid: 100, name: 'a', type: 'qemu', disk: { total: 0 } },
        c: { ...guest, id: 'home-pve1-102', vmid: 102, name: 'c', type: 'lxc', tags: 'a,b' },
      },
    }),
    meta,
    now,
  )
  expect(PlainState.parse(plain)).toEqual(plain)
  expect(plain.vms.map((v) => v.vmid)).toEqual([100, 101])
  expect(plain.vms[1]).toMatchObject({
    mem: 100,
    maxmem: 400,
    maxdisk: 1000,
    uptime: 90,
    diskRead: 13,
    diskWrite: 0,
    lastSeen: now - 3_000,
  })
  expect(plain.containers).toMatchObject([{ vmid: 102, tags: 'a,b', mem: 0 }])
})

test('[spec 1 §3] an unknown disk usage is -1 on the documented wire, and a total of 0 is left out', () => {
  const { vms } = toPlain(
    tables({
      guests: {
        a: { ...guest, id: 'x', vmid: 1, name: 'x', type: 'qemu', disk: { total: 1000 } },
        b: { ...guest, id: 'y', vmid: 2, name: 'y', type: 'qemu', disk: { total: 0 } },
      },
    }),
    meta,
    now,
  )
  expect(vms[0]!.disk).toEqual({ total: 1000, used: 0, free: 0, usage: -1 })
  expect(vms[1]).not.toHaveProperty('disk')
})

test('[spec 1 §3] unknown values of a guest have the documented form: a disk usage of -1, a load of 0', () => {
  const { cpu: _cpu, ...unmeasured } = guest
  const plain = toPlain(
    tables({
      guests: {
        a: {
          ...unmeasured,
          id: 'x',
          vmid: 1,
          name: 'x',
          type: 'qemu',
          disks: [{ total: 9, mountpoint: '/' }],
        },
      },
    }),
    meta,
    now,
  )
  expect(PlainState.parse(plain)).toEqual(plain)
  expect(plain.vms[0]).toMatchObject({
    cpu: 0,
    disks: [{ total: 9, used: 0, free: 0, usage: -1, mountpoint: '/' }],
  })
})

test('an estimated memory says so on the documented wire as well', () => {
  const memory = { total: 4, used: 1, free: 3, usage: 25, estimate: 'agent-pending' } as const
  const { vms } = toPlain(
    tables({ guests: { a: { ...guest, id: 'x', vmid: 1, name: 'x', type: 'qemu', memory } } }),
    meta,
    now,
  )
  expect(vms[0]!.memory).toEqual(memory)
})

test('nested and listed kinds come back together', () => {
  const plain = toPlain(
    tables({
      pbs: { p: { id: 'pbs-a', name: 'a', source: 's' } },
      datastores: { d: { server: 'pbs-a', name: 'main', source: 's' }, e: { server: 'pbs-b', name: 'x' } },
      dockerHosts: { h: { id: 'h1', hostname: 'dock', source: 's' } },
      dockerContainers: { c: { id: 'c1', host: 'h1', name: 'web', source: 's' } },
      pveBackups: { t: { list: 'backupTasks', id: 'upid', source: 's' } },
    }),
    meta,
    now,
  )
  const unknown = { total: 0, used: 0, free: 0, usage: 0 }
  const unread = { cpuPercent: 0, memoryPercent: 0, memoryUsageBytes: 0, memoryLimitBytes: 0 }
  expect(plain.pbs[0]!.datastores).toEqual([{ name: 'main', ...unknown }])
  expect(plain.dockerHosts[0]!.containers).toEqual([{ id: 'c1', name: 'web', ...unread, uptimeSeconds: 0 }])
  expect(plain.pveBackups.backupTasks).toHaveLength(1)
  expect(plain.backups.pve).toEqual(plain.pveBackups)
  expect(plain.stats.uptime).toBe(86_400)
  expect(plain.lastUpdate).toBe(now - 3_000)
})

test('[facts/collection 4.6] backups and gateways have the documented fields, and no others', () => {
  const source = 'pve-1'
  const at = '2026-01-01T00:00:00.000Z'
  const counts = { count: 3, countIn: 2, countOut: 1, spamIn: 1, spamOut: 0, virusIn: 0, virusOut: 0 }
  const hour = { timestamp: at, windowStart: at, timeframe: 'hour', index: 0, ...counts }
  const file = { id: 'f', storage: 'nas', node: 'pve1', instance: 'home', type: 'qemu', vmid: 1, time: at }
  const stated = { ctime: 1, size: 5, format: 'vma', protected: false, volid: 'nas:f', isPBS: true }
  const held = { id: 'p', instance: 'v', datastore: 'main', namespace: '', backupType: 'vm', vmid: '1' }
  const gateway = { id: 'm', name: 'mail', host: 'https://m', status: 'online', version: '9.1' }
  const task = { id: 't', node: 'pve1', type: 'vzdump', vmid: 0, status: 'OK', startTime: at }
  const plain = toPlain(
    tables({
      pveBackups: {
        f: {
          list: 'storageBackups',
          ...file,
          ...stated,
          verified: true,
          listedBy: ['pve-1', 'pve-2'],
          source,
        },
        t: { list: 'backupTasks', ...task, upid: 'UPID', guests: [{ vmid: 1 }], source },
      },
      pbsBackups: {
        p: { ...held, backupTime: at, size: 5, protected: true, verified: true, listedBy: ['pve-1'], source },
      },
      pmg: {
        m: {
          ...gateway,
          connectionHealth: 'healthy',
          lastUpdated: at,
          mailCount: [{ ...hour, rblRejects: 0, pregreet: 0, bouncesIn: 0, bouncesOut: 0 }],
          quarantine: { spam: 1, virus: 2, attachment: 3 },
          cluster: { fingerprint: 'AB:CD' },
          source,
        },
      },
      protections: { 'pve-1:1': { vmid: 1, source } },
      replicationJobs: { 'pve-1:1-0': { job: '1-0', source } },
    }),
    meta,
    now,
  )
  expect(PlainState.parse(plain)).toEqual(plain)
  expect(plain.pveBackups.storageBackups).toEqual([{ ...file, ...stated, verified: true }])
  expect(plain.pveBackups.backupTasks).toEqual([task])
  expect(plain.pmg[0]).toMatchObject({
    quarantine: { blacklisted: 0 },
    mailCount: [{ ...hour, greylist: 0, pregreet: 0 }],
  })
})

test('offline and stale records have the time of their last valid data, and no time when they were never seen', () => {
  const { nodes, vms } = toPlain(
    tables({
      nodes: {
        off: { id: 'o', name: 'o', status: 'offline', staleSince: now - 90_000, source: 'pve-1' },
        on: { id: 'p', name: 'p', status: 'online', source: 'pve-1' },
        never: { id: 'q', name: 'q', status: 'offline', source: 'pve-1' },
      },
      guests: { a: { ...guest, id: 'x', vmid: 1, name: 'x', type: 'qemu', staleSince: now - 60_000 } },
    }),
    meta,
    now,
  )
  expect(nodes.map(({ lastSeen }) => lastSeen)).toEqual([now - 90_000, now - 3_000, 0])
  expect(vms[0]!.lastSeen).toBe(now - 60_000)
})

test('figures that are unknown inside have their documented form on the plain wire', () => {
  const plain = toPlain(
    tables({
      nodes: { n: { ...aNode, cpuInfo: { cores: 8 } } },
      storage: { s: aStorage },
    }),
    meta,
    now,
  )
  expect(PlainState.parse(plain)).toEqual(plain)
  expect(plain.nodes[0]).toMatchObject({ cpu: 0, cpuInfo: { model: '', cores: 8, sockets: 0, mhz: '' } })
  expect(plain.storage[0]).toMatchObject({ total: 0, used: 0, usage: 0 })
})

test('the health of a source is absent until it has answered or failed', () => {
  const sources = {
    a: { name: 'home', kind: 'pve', health: 'healthy' },
    b: { name: 'pbs-new', kind: 'pbs', health: 'unknown' },
    c: { name: 'pmg-gone', kind: 'pmg', health: 'error' },
  }
  expect(toPlain(tables({ sources }), meta, now).connectionHealth).toEqual({ home: true, 'pmg-gone': false })
})
