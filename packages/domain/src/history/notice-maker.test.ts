import type { Guest, Protection } from '@pulse/contract'
import {
  aCephCluster,
  aDockerContainer,
  aDisk,
  aDockerHost,
  aGuest,
  aPbsServer,
  aProtection,
  aStorage,
} from '@pulse/testkit'
import { expect, test } from 'vitest'
import { ChangeLog } from './change-log.ts'
import { memoryChanges } from './fixtures-change-storage.ts'
import { toLogged } from './logged-fields.ts'

import { aLog, finished, hour, minute } from './fixtures-notices.ts'

const web = (change: Partial<Guest> = {}) => aGuest({ source: 'main', name: 'web', ...change })
const backups = (change: Partial<Protection> = {}) => aProtection({ source: 'main', vmid: 100, ...change })

test('[M 3.5] a notice says where the thing was, and a protection is about its guest', () => {
  const { put, set, source, found } = aLog()
  source('vault')
  source('dock')
  put(hour, 'pbs', 'vault', aPbsServer({ source: 'vault', name: 'backup1' }))
  put(hour, 'dockerHosts', 'dock', aDockerHost({ source: 'dock', displayName: 'Docker 1' }))
  put(hour, 'guests', 'main:100', web({ vmid: 100 }))
  put(hour, 'datastores', 'vault:main', { source: 'vault', server: 'v', name: 'main', status: 'available' })
  put(
    hour,
    'storage',
    'main:pve1:local',
    aStorage({ source: 'main', name: 'local', node: 'pve1', shared: false }),
  )
  put(hour, 'storage', 'main:nas', aStorage({ source: 'main', name: 'nas', node: 'cluster', shared: true }))
  put(hour, 'dockerContainers', 'dock:db', aDockerContainer({ source: 'dock', name: 'db' }))
  put(
    hour,
    'physicalDisks',
    'main:s1',
    aDisk({ source: 'main', node: 'pve1', devPath: '/dev/sda', model: 'X' }),
  )
  put(hour, 'protections', 'main:100', backups())
  set(2 * hour, 'protections', 'main:100', { failed: { at: 1, error: 'no space' } })
  expect(
    found()
      .slice(2)
      .map(({ kind, name, where, vmid, what }) => [kind, name, where, vmid, what]),
  ).toEqual([
    ['guests', 'web', 'pve1', 100, 'came'],
    ['datastores', 'main', 'backup1', undefined, 'came'],
    ['storage', 'local', 'pve1', undefined, 'came'],
    ['storage', 'nas', undefined, undefined, 'came'],
    ['dockerContainers', 'db', 'Docker 1', undefined, 'came'],
    ['physicalDisks', '/dev/sda X', 'pve1', undefined, 'came'],
    ['guests', 'web', 'pve1', 100, 'unprotected'],
  ])
})

test('[M 3.5] a guest that was unknown in between is compared with what it was before', () => {
  const { put, set, found } = aLog()
  put(1, 'guests', 'main:100', web({ startedAt: 0 }))
  const unknown = { status: 'unknown', startedAt: null }
  set(hour, 'guests', 'main:100', unknown)
  set(2 * hour, 'guests', 'main:100', { status: 'running', startedAt: 0 })
  expect(found()).toEqual([])
  set(3 * hour, 'guests', 'main:100', unknown)
  set(4 * hour, 'guests', 'main:100', { status: 'running', startedAt: 4 * hour })
  set(5 * hour, 'guests', 'main:100', unknown)
  set(6 * hour, 'guests', 'main:100', { status: 'stopped' })
  expect(found().map(({ what, from, to }) => [what, from, to])).toEqual([
    ['restarted', 0, 4 * hour],
    ['stopped', 'running', 'stopped'],
  ])
})

const backupWords = (log: ChangeLog) =>
  finished(
    log.notices({ from: 0, to: Infinity, words: ['backupStarted', 'backupEnded'], most: 9 }),
  ).notices.map(({ at, what }) => [at, what])

test('[M 3.1] a backup that ended while its node was down for some minutes ends when the node answers again', () => {
  const { put, set, log } = aLog()
  put(1, 'guests', 'main:100', web({ lock: 'backup' }))
  set(hour, 'guests', 'main:100', { status: 'unknown', lock: null, staleSince: hour })
  expect(backupWords(log)).toEqual([])
  const back = hour + 4 * minute
  set(back, 'guests', 'main:100', { status: 'running', staleSince: null })
  expect(backupWords(log)).toEqual([[back, 'backupEnded']])
})

test('[M 3.1] what was not seen for longer is no begin or end of a backup: it would last as long as the silence', () => {
  const { put, set, log, storage } = aLog()
  put(1, 'guests', 'main:100', web())
  set(minute, 'guests', 'main:100', { lock: 'backup' })
  // a silent source
  set(hour, 'guests', 'main:100', { staleSince: hour })
  set(2 * hour, 'guests', 'main:100', { lock: null, staleSince: null })
  set(3 * hour, 'guests', 'main:100', { staleSince: 3 * hour })
  set(4 * hour, 'guests', 'main:100', { lock: 'backup', staleSince: null })
  log.flush()
  // Pulse was off
  const after = new ChangeLog(storage)
  after.append(
    [{ at: 9 * hour, kind: 'guests', id: 'main:100', do: 'put', fields: toLogged('guests', web()) }],
    9 * hour,
  )
  expect(backupWords(after)).toEqual([[minute, 'backupStarted']])
})

test('[M 3.5] a start while a node is down renames, re-tags and resizes none of its guests', () => {
  const { put, log, storage, found } = aLog()
  const known = web({ tags: 'prod', cpus: 4 })
  const nameless = web({ status: 'unknown', name: 'VM 100', tags: '', cpus: 0, disk: { total: 0 } })
  put(1, 'guests', 'main:100', known)
  put(hour, 'guests', 'main:100', nameless)
  put(2 * hour, 'guests', 'main:100', known)
  expect(found()).toEqual([])
  // Pulse starts a second time meanwhile
  put(3 * hour, 'guests', 'main:100', nameless)
  log.flush()
  const after = new ChangeLog(storage)
  const putAfter = (at: number, record: Guest) =>
    after.append([{ at, kind: 'guests', id: 'main:100', do: 'put', fields: toLogged('guests', record) }], at)
  putAfter(4 * hour, nameless)
  putAfter(5 * hour, known)
  expect(finished(after.notices({ from: hour, to: Infinity, most: 100 })).notices).toEqual([])
})

test('[M 3.5] what changed of a guest while its node was down is a notice when the node is back', () => {
  const { put, found } = aLog()
  put(1, 'guests', 'main:100', web({ tags: 'prod', cpus: 4 }))
  put(hour, 'guests', 'main:100', web({ status: 'unknown', name: 'VM 100', tags: '', cpus: 0 }))
  put(2 * hour, 'guests', 'main:100', web({ name: 'www', tags: 'prod', cpus: 8 }))
  expect(found().map(({ what, from, to }) => [what, from, to])).toEqual([
    ['resized', 4, 8],
    ['renamed', 'web', 'www'],
  ])
})

test('[M 3.5] a virtual machine that was moved while it ran has not restarted; a container has', () => {
  const { put, set, found } = aLog()
  const words = () => found().map(({ id, what }) => `${id} ${what}`)
  const together = { node: 'pve2', startedAt: hour - 5_000 }
  put(1, 'guests', 'main:100', web({ type: 'qemu', node: 'pve1', startedAt: 0 }))
  put(1, 'guests', 'main:101', web({ type: 'qemu', node: 'pve1', startedAt: 0, vmid: 101 }))
  put(1, 'guests', 'main:102', web({ type: 'lxc', node: 'pve1', startedAt: 0, vmid: 102 }))
  set(hour, 'guests', 'main:100', { node: 'pve2' })
  set(hour + minute, 'guests', 'main:100', { startedAt: hour - 5_000 })
  set(hour + minute, 'guests', 'main:101', together)
  set(hour + minute, 'guests', 'main:102', together)
  expect(words()).toEqual(['main:100 moved', 'main:101 moved', 'main:102 moved', 'main:102 restarted'])
  // the next start is one
  set(2 * hour, 'guests', 'main:100', { startedAt: 2 * hour })
  expect(words().at(-1)).toBe('main:100 restarted')
})

test('[M 3.5] a start long after a move is a restart', () => {
  const { put, set, found } = aLog()
  put(1, 'guests', 'main:100', web({ type: 'qemu', node: 'pve1', startedAt: 0 }))
  set(hour, 'guests', 'main:100', { node: 'pve2' })
  set(2 * hour, 'guests', 'main:100', { startedAt: 2 * hour })
  expect(found().map(({ what }) => what)).toEqual(['moved', 'restarted'])
})

test('[M 3.5] a storage that its node does not answer for has not changed', () => {
  const { put, set, found } = aLog()
  put(1, 'storage', 'main:nas', aStorage({ source: 'main', name: 'nas', status: 'available' }))
  set(hour, 'storage', 'main:nas', { status: 'unknown' })
  set(2 * hour, 'storage', 'main:nas', { status: 'available' })
  expect(found()).toEqual([])
  set(3 * hour, 'storage', 'main:nas', { status: 'unknown' })
  set(4 * hour, 'storage', 'main:nas', { status: 'inactive' })
  expect(found().map(({ what, from, to }) => [what, from, to])).toEqual([['status', 'available', 'inactive']])
})

test('[M 3.5] a container that its engine starts again and again is restarted, not stopped', () => {
  const { put, set, found } = aLog()
  put(
    1,
    'dockerContainers',
    'main:db',
    aDockerContainer({ source: 'main', name: 'db', state: 'running', startedAt: 1 }),
  )
  set(hour, 'dockerContainers', 'main:db', { state: 'restarting' })
  set(hour + 1, 'dockerContainers', 'main:db', { state: 'running', startedAt: hour })
  set(2 * hour, 'dockerContainers', 'main:db', { state: 'exited' })
  expect(found().map(({ what }) => what)).toEqual(['restarted', 'stopped'])
})

test('[M 3.5] a start, which reads backups after guests, is no loss of backups', () => {
  const storage = memoryChanges()
  const before = aLog(storage)
  before.put(1, 'guests', 'main:100', web())
  const failed = { failed: { at: 2, error: 'no space' } }
  before.put(1, 'protections', 'main:100', backups({ ...failed, inJob: true }))
  before.log.flush()
  const { put, set, found } = aLog(storage)
  const { newest, ...bare } = backups({ inJob: false })
  put(hour, 'protections', 'main:100', bare)
  set(hour + minute, 'protections', 'main:100', failed)
  set(hour + minute, 'protections', 'main:100', { newest })
  expect(found().map(({ field }) => field)).toEqual(['no-job'])
  set(hour + 20 * minute, 'protections', 'main:100', { failed: null })
  set(hour + 21 * minute, 'protections', 'main:100', failed)
  set(hour + 22 * minute, 'protections', 'main:100', { newest: null })
  expect(found().map(({ field }) => field)).toEqual(['no-job', 'failed', 'none'])
})

test('[M 3.5] what was known of a guest goes with its source', () => {
  const { put, set, source, log, found } = aLog()
  put(1, 'guests', 'main:100', web({ status: 'stopped' }))
  set(hour, 'guests', 'main:100', { status: 'unknown' })
  const gone = { at: 2 * hour, do: 'remove' } as const
  log.append([{ ...gone, kind: 'sources', id: 'main' }], 2 * hour)
  log.append([{ ...gone, kind: 'guests', id: 'main:100' }], 2 * hour)
  source('main')
  put(2 * hour + 1, 'guests', 'main:100', web({ status: 'running' }))
  set(3 * hour, 'guests', 'main:100', { tags: 'prod' })
  expect(found().map(({ what }) => what)).toEqual(['came', 'tagged'])
})

test('[M 3.5] a Ceph cluster that did not answer in between is compared with its health before', () => {
  const { put, set, found } = aLog()
  put(hour, 'cephClusters', 'main', aCephCluster({ source: 'main', health: 'HEALTH_OK' }))
  set(2 * hour, 'cephClusters', 'main', { health: 'HEALTH_UNKNOWN' })
  set(3 * hour, 'cephClusters', 'main', { health: 'HEALTH_OK' })
  set(4 * hour, 'cephClusters', 'main', { health: 'HEALTH_UNKNOWN' })
  set(5 * hour, 'cephClusters', 'main', { health: 'HEALTH_ERR' })
  const [, ...changes] = found()
  expect(changes.map(({ what, from, to }) => [what, from, to])).toEqual([
    ['status', 'HEALTH_OK', 'HEALTH_ERR'],
  ])
})
