import { type PveBackup, recordSchemas } from '@pulse/contract'
import { type Connection, type Observation, Secret } from '@pulse/domain'
import fs from 'node:fs'
import path from 'node:path'
import { acceleratedClock } from '@pulse/testkit'
import fc from 'fast-check'
import { pino } from 'pino'
import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { collectors } from './index.ts'
import { toNetwork, toOs } from './pve/agent.ts'
import { toJob } from './pve/backup-jobs.ts'
import { toSnapshot, toTask } from './pve/backup-records.ts'
import { toCeph } from './pve/ceph.ts'
import { temperatureOf, toDisk } from './pve/disks.ts'
import { sumFilesystems } from './pve/filesystems.ts'
import { type GuestFacts } from './pve/guest-facts.ts'
import { sampleReport } from './pve/guest-rates.ts'
import type { PveGuest } from './pve/guest-line.ts'
import { GuestCache } from './pve/guests.ts'
import type { MapContext } from './pve/map.ts'
import { readMembership, toClusterEndpoints } from './pve/membership.ts'
import { readNodeList } from './pve/part-node-guests.ts'
import { NodeCache } from './pve/nodes.ts'
import * as schema from './pve/schema.ts'
import { PveBackupJob, PveSnapshot, PveTask } from './pve/schema-backups.ts'
import { PveCephStatus, PveDisk, PveSmart, PveZfsDetail, PveZfsPool } from './pve/schema-disks.ts'
import { takeResources } from './pve/resources.ts'
import { StorageCache } from './pve/storages.ts'
import { toZfsPool } from './pve/zfs.ts'
import { SourceError } from './source-error.ts'
import type { Collector } from './source.ts'
import { within } from '../../../../scripts/test-limits.ts'

const fixtures = path.resolve(import.meta.dirname, '../../../../../shared/fixtures')
const hasFixtures = fs.existsSync(fixtures)
if (!hasFixtures) console.log('skipped: no ../shared/fixtures')

const context: MapContext = {
  source: 'c1',
  instance: 'main',
  clusterName: 'prod',
  health: 'healthy',
  wallOffset: 0,
}
const at = Date.UTC(2026, 0, 1)

type Records = Observation['records']
const nodesOf = (data: unknown): Records => {
  const cache = new NodeCache()
  cache.list(schema.readList(schema.PveNode, data, 'nodes'), at)
  return { nodes: cache.records(context) }
}
const guestsOf = (entries: readonly PveGuest[]): Records => {
  const cache = new GuestCache({ qemu: true, lxc: true })
  cache.list(entries, at)
  return { guests: cache.records(context) }
}
const aGuest = (type: 'qemu' | 'lxc') =>
  schema.PveGuest.parse({
    vmid: 101,
    type,
    node: 'node1',
    status: 'running',
    maxmem: 2 ** 30,
    maxdisk: 2 ** 35,
    uptime: 5,
  })
const learnedAbout = (type: 'qemu' | 'lxc', learn: (facts: GuestFacts) => void): Records => {
  const cache = new GuestCache({ qemu: true, lxc: true })
  cache.list([aGuest(type)], at)
  cache.learn(101, learn, at)
  return { guests: cache.records(context) }
}
const resourcesOf = (data: unknown): Records => {
  const resources = takeResources()
  for (const line of schema.readList(z.unknown(), data, 'resources')) resources.take(line)
  const storages = new StorageCache()
  storages.list(resources.storages, at, () => true)
  const nodes = new NodeCache()
  nodes.list(resources.nodes, at)
  const guests = guestsOf(resources.guests)
  return { ...guests, nodes: nodes.records(context), storage: storages.records(context) }
}
const owner = { source: 'c1', instance: 'main' }
const backupsOf = (records: PveBackup[]): Records => ({
  pveBackups: new Map(records.map((one) => [one.id, one])),
})
const result = (data: unknown) => (data as { result?: unknown } | null)?.result

/** The readers of recorded answers, by the name of the recording. Some recordings have no reader yet. */
const readers: Record<string, Record<string, (data: unknown) => Records>> = {
  pve: {
    nodes: nodesOf,
    'node-status': (data) => {
      const cache = new NodeCache()
      cache.list([schema.PveNode.parse({ node: 'node1', status: 'online' })], at)
      cache.learnStatus('node1', schema.readOne(schema.PveNodeStatus, data, 'status'), at)
      return { nodes: cache.records(context) }
    },
    'cluster-resources': resourcesOf,
    'cluster-resources-vm': resourcesOf,
    'cluster-resources-storage': resourcesOf,
    'cluster-status': (data) => {
      toClusterEndpoints(readMembership(data), () => at)
      return {}
    },
    'node-storage': (data) => {
      const cache = new StorageCache()
      cache.report('node1', schema.readList(schema.PveNodeStorage, data, 'storage'), at)
      return { storage: cache.records(context) }
    },
    'qemu-list': (data) => guestsOf(readNodeList('qemu', 'node1', data)),
    'lxc-list': (data) => guestsOf(readNodeList('lxc', 'node1', data)),
    'qemu-status-current': (data) => {
      const value = schema.readOne(schema.PveGuestStatus, data, 'status')
      return learnedAbout('qemu', (facts) => {
        facts.report = { value, at }
        facts.balloon = value.balloon
        sampleReport(facts, value, at)
      })
    },
    'lxc-status-current': (data) => {
      const value = schema.readOne(schema.PveGuestStatus, data, 'status')
      return learnedAbout('lxc', (facts) => {
        facts.swapUsed = value.swap
        facts.swapTotal = value.maxswap
      })
    },
    'agent-get-fsinfo-linux': (data) => {
      const summed = sumFilesystems(schema.readLooseList(schema.PveFilesystem, result(data)))
      return learnedAbout('qemu', (facts) => {
        if (typeof summed !== 'string') facts.disks = { ...summed, at }
      })
    },
    'agent-get-osinfo': (data) => {
      const os = toOs(schema.readOne(schema.PveOs, result(data), 'osinfo'))
      return learnedAbout('qemu', (facts) => (facts.os = os))
    },
    'agent-network-get-interfaces': (data) => {
      const network = toNetwork(schema.readLooseList(schema.PveInterface, result(data)))
      return learnedAbout('qemu', (facts) => (facts.network = network))
    },
    'lxc-interfaces': (data) => {
      const network = toNetwork(schema.readLooseList(schema.PveInterface, data))
      return learnedAbout('lxc', (facts) => (facts.network = network))
    },
    'disks-list-nvme': (data) => {
      const disks = schema.readList(PveDisk, data, 'disks')
      const records = disks.map((disk) => toDisk({ disk, at }, 'node1', context, undefined))
      return { physicalDisks: new Map(records.map((one) => [one.id, one])) }
    },
    'disks-smart-nvme': (data) => {
      temperatureOf(schema.readOne(PveSmart, data, 'smart'))
      return {}
    },
    'disks-zfs': (data) => {
      schema.readList(PveZfsPool, data, 'zfs')
      return {}
    },
    'disks-zfs-pool': (data) => {
      const detail = schema.readOne(PveZfsDetail, data, 'pool')
      toZfsPool({ name: detail.name ?? '', state: detail.state ?? '', detail, at })
      return {}
    },
    'cluster-ceph-status': (data) => {
      const ceph = toCeph(schema.readOne(PveCephStatus, data, 'ceph'), undefined, at, context, false)
      return { cephClusters: new Map([[ceph.id, ceph]]) }
    },
    'node-tasks': (data) =>
      backupsOf(schema.readList(PveTask, data, 'tasks').map((one) => toTask(one, owner))),
    'lxc-snapshot': (data) => {
      const guest = { vmid: 101, node: 'node1', type: 'lxc' } as const
      return backupsOf(
        schema.readList(PveSnapshot, data, 'snapshots').map((one) => toSnapshot(one, guest, owner)),
      )
    },
    'qemu-snapshot-none': (data) => {
      schema.readList(PveSnapshot, data, 'snapshots')
      return {}
    },
    'cluster-backup': (data) => {
      schema.readList(PveBackupJob, data, 'jobs').map(toJob)
      return {}
    },
    'qemu-rrddata-hour': (data) => {
      schema.readList(schema.PveRrdPoint, data, 'rrddata')
      return {}
    },
  },
}

const recorded = Object.keys(collectors).flatMap((kind) => {
  const folder = path.join(fixtures, kind)
  if (!hasFixtures || !fs.existsSync(folder)) return []
  return fs.readdirSync(folder).flatMap((file) => {
    const reader = readers[kind]?.[file.replace(/^(pve\d+-)?/, '').replace(/\.json$/, '')]
    return reader ? [{ kind, file, reader }] : []
  })
})

// Only kinds with a reader are checked. PBS and PMG have none here.
test.skipIf(!hasFixtures)('[style 4] every collector that maps records has recordings that are read', () => {
  for (const kind of Object.keys(readers)) {
    expect(recorded.filter((fixture) => fixture.kind === kind).length, kind).toBeGreaterThan(10)
  }
})

test.each(recorded)(
  '[style 4] $kind/$file maps to records that the contract accepts',
  ({ kind, file, reader }) => {
    const text = fs.readFileSync(path.join(fixtures, kind, file), 'utf8')
    for (const [name, records] of Object.entries(reader((JSON.parse(text) as { data: unknown }).data))) {
      for (const record of records.values()) {
        expect(recordSchemas[name as keyof Records].safeParse(record).error).toBeUndefined()
      }
    }
  },
)

test.skipIf(!hasFixtures)(
  '[proxmox-api 2.2] the recorded estate: pool and sdn lines, templates and blank tags are understood',
  () => {
    const read = (file: string) =>
      (JSON.parse(fs.readFileSync(path.join(fixtures, 'pve', file), 'utf8')) as { data: unknown }).data
    const guests = [...resourcesOf(read('pve9-cluster-resources-vm.json')).guests!.values()]
    expect(
      guests.map(({ vmid, status, tags, memory }) => [vmid, status, tags, memory!.usage <= 100]),
    ).toEqual([
      [100, 'running', 'mail', true],
      [101, 'running', undefined, true],
      [107, 'running', undefined, true],
      [108, 'stopped', 'fw', true],
      [130, 'running', undefined, true],
    ])
    expect([...guestsOf(readNodeList('lxc', 'n', read('pve7-lxc-list.json'))).guests!.keys()]).toEqual([
      'c1:106',
      'c1:105',
    ])
    const storage = resourcesOf(read('pve9-cluster-resources-storage.json')).storage!
    expect(readMembership(read('pve9-cluster-status.json'))).toMatchObject({
      clusterName: 'homelab',
      local: 'node1',
    })
    // Guests are not asked for their RRD data because it lacks the available memory.
    const points = schema.readList(schema.PveRrdPoint, read('pve9-qemu-rrddata-hour.json'), 'rrddata')
    expect(points.every((point) => point.memavailable === undefined)).toBe(true)
    expect(storage.get('c1:BKP01')).toMatchObject({ node: 'cluster', nodeCount: 3, status: 'available' })
  },
)

test('[S13] a hostile answer is refused as one, or understood as far as it goes; nothing else happens', () => {
  const key = fc.constantFrom(
    'type',
    'node',
    'vmid',
    'storage',
    'name',
    'status',
    'result',
    'mem',
    '__proto__',
    'x',
  )
  const value = fc.oneof(
    fc.constantFrom('qemu', 'lxc', 'node', 'storage', 'cluster', 'pve1', 1e308, -5),
    fc.jsonValue(),
  )
  const entry = fc.dictionary(key, value)
  const answer = fc.oneof(fc.jsonValue(), fc.array(entry), entry, fc.record({ result: fc.array(entry) }))
  const names = Object.keys(readers).flatMap((kind) =>
    Object.keys(readers[kind]!).map((name) => readers[kind]![name]!),
  )
  fc.assert(
    fc.property(fc.constantFrom(...names), answer, (reader, data) => {
      try {
        for (const [name, records] of Object.entries(reader(data))) {
          for (const record of records.values()) {
            expect(recordSchemas[name as keyof Records].safeParse(record).error).toBeUndefined()
          }
        }
      } catch (error) {
        expect(error).toBeInstanceOf(SourceError)
      }
    }),
    { numRuns: 2_000 },
  )
})

test.each(Object.entries(collectors) as [Connection['kind'], Collector][])(
  '[style 4] %s: an unreachable host is a failed result, not an exception',
  async (kind, collector) => {
    const clock = acceleratedClock(20)
    const log = pino({ level: 'silent' })
    const connection: Connection = {
      id: 'c1',
      kind,
      name: 'no-server',
      host: 'https://127.255.255.254:8006', // no server listens there
      auth: { type: 'token', tokenId: 'a@b!c', secret: new Secret('canary-7c1e') },
      verifySSL: false,
      flags: {},
    }
    const result = await collector.test(connection, { clock, log })
    expect(result).toMatchObject({
      status: 'error',
      message: expect.stringMatching(/connection refused/) as string,
    })
    const observed: Observation[] = []
    const running = collector.start(connection, {
      clock,
      log,
      observe: (observation) => void observed.push(observation),
      learned: () => {},
    })
    await expect
      .poll(() => observed.at(-1)?.state?.health, { timeout: within(30_000), interval: 10 })
      .toBe('error')
    await running.stop()
    expect(observed.at(-1)!.records).toEqual({})
    expect(JSON.stringify([result, observed])).not.toContain('canary')
  },
)
