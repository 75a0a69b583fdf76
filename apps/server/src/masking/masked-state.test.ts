import { kinds, type RecordKind, recordKinds } from '@pulse/contract'
import type { StatePatch } from '@pulse/domain'
import { aMeta } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { createState } from '../state/state.ts'
import { createMask } from './mask.ts'
import { maskedState } from './masked-state.ts'

const real = createState(aMeta())
const shown = maskedState(real, createMask())

/** Records that identify the installation in every field of these kinds that can contain a host. */
const records = {
  storage: { node: 'pve1', storage: 'nas.corp.lan', shared: true, pbs: { server: 'vault.corp.lan' } },
  physicalDisks: { node: 'pve1', serial: 'x-10.20.30.40', healthNote: 'read /mnt/disk.corp.lan/a' },
  datastores: { server: 'pbs-vault', name: 'nas.corp.lan', comment: 'NFS on 10.20.30.40:/srv/corp.lan' },
  pbs: { name: 'vault', failedTasks: [{ id: 'UPID:vault:0:0:0:0:backup:host-a.corp.lan:bob@corp.lan:' }] },
  pveBackups: { list: 'backupTasks', upid: 'UPID:pve1:0:0:0:vzdump:1:bob@corp.lan!pulse:', vmid: 1 },
  pbsBackups: { datastore: 'main', namespace: 'a/corp.lan', backupType: 'host', vmid: 'mail.corp.lan' },
  pmgBackups: { node: 'mail', filename: 'pmg-mx.corp.lan.tgz' },
  pmg: {
    name: 'mail',
    cluster: { fingerprint: `${'AB:'.repeat(31)}AB` },
    domains: [{ domain: 'a.corp.lan' }],
  },
  protections: { vmid: 1, failed: { at: 1, error: 'no space on /mnt/pve/nas.corp.lan/dump' } },
  replicationJobs: { job: '1-0', error: "ssh root@10.20.30.40 'zfs' exit code 255" },
} as const

const hidden = /corp|10\.20\.30|AB:AB/i
const source = 'c-1'
const say = (changed: Partial<Record<RecordKind, object[]>>) =>
  real.observe({
    source,
    records: Object.fromEntries(
      Object.entries(changed).map(([kind, list]) => [
        kind,
        new Map(
          list.map((one) => {
            const record = { ...one, source }
            return [
              (kinds as unknown as Record<string, { key(r: object): string }>)[kind]!.key(record),
              record,
            ]
          }),
        ),
      ]),
    ),
  })

const textOf = (patch: StatePatch) =>
  JSON.stringify(Object.values(patch).map(({ put, remove }) => [...put, ...remove]))

test('neither records nor their ids contain a host', () => {
  const patches: StatePatch[] = []
  shown.subscribe((patch) => patches.push(patch))
  say(Object.fromEntries(Object.entries(records).map(([kind, record]) => [kind, [record]])))
  expect(JSON.stringify(recordKinds().map((kind) => [...shown.tables[kind]]))).not.toMatch(hidden)
  for (const kind of Object.keys(records)) expect(shown.tables[kind as RecordKind].size, kind).toBe(1)
  say(Object.fromEntries(Object.keys(records).map((kind) => [kind, []])))
  expect(patches.map(textOf).join('')).not.toMatch(hidden)
  for (const kind of Object.keys(records)) expect(shown.tables[kind as RecordKind].size, kind).toBe(0)
})

test('two records stay two, even with equal substitutes of their addresses', () => {
  const hosts = Array.from({ length: 600 }, (_, n) => ({
    ...records.pbsBackups,
    vmid: `10.20.${n >> 8}.${n & 255}`,
  }))
  say({ pbsBackups: hosts })
  expect(shown.tables.pbsBackups.size).toBe(600)
  say({ pbsBackups: hosts.slice(1) })
  expect(shown.tables.pbsBackups.size).toBe(599)
})

test('records from before the first reader are masked too', () => {
  say({ pbsBackups: [records.pbsBackups] })
  const later = maskedState(real, createMask())
  expect(JSON.stringify([...later.tables.pbsBackups])).not.toMatch(hidden)
  say({ pbsBackups: [] })
  expect(later.tables.pbsBackups.size).toBe(0)
})
