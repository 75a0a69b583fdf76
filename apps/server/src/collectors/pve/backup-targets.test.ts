import { expect, test } from 'vitest'
import { BackupTargets, nameOf } from './backup-targets.ts'
import { PveStorageEntry } from './schema.ts'

const entry = (storage: string, node: string, more: object = {}) =>
  PveStorageEntry.parse({
    storage,
    node,
    plugintype: 'nfs',
    content: 'iso,backup',
    shared: 1,
    status: 'available',
    ...more,
  })
const online = () => true
const atOnce = () => 0
function asked(targets: BackupTargets, nodes = ['pve1', 'pve2']) {
  return nodes.flatMap((node) => {
    const next = targets.next(node, atOnce)
    return next ? [`${nameOf(next.target)}: ${node}`] : []
  })
}

test('[facts 1.17] a shared storage is asked of one node that can use it, others of each', () => {
  const targets = new BackupTargets()
  targets.list([entry('nas', 'pve1', { status: 'unknown' }), entry('nas', 'pve2')], online)
  expect(asked(targets)).toEqual(['storage nas: pve2'])
  targets.list(
    ['pve1', 'pve2'].map((node) => entry('local', node, { shared: 0, plugintype: 'dir' })),
    online,
  )
  expect(asked(targets)).toEqual(['storage local on pve1: pve1', 'storage local on pve2: pve2'])
})

test('one that was asked in vain is passed over while another can use it', () => {
  const targets = new BackupTargets()
  targets.list([entry('nas', 'pve1'), entry('nas', 'pve2')], online)
  const [first] = asked(targets)
  const node = first!.slice(-4)
  targets.next(node, atOnce)!.target.avoid.add(node)
  expect(asked(targets)).toEqual([`storage nas: ${node === 'pve1' ? 'pve2' : 'pve1'}`])
})

test('[facts 6.5.49] one that is inactive everywhere is asked all the same', () => {
  const targets = new BackupTargets()
  targets.list([entry('nas', 'pve1', { status: 'unknown' })], online)
  expect(asked(targets)).toEqual(['storage nas: pve1'])
})

test('what holds no backups is none, and a storage that is called like a backup server is none of those', () => {
  const targets = new BackupTargets()
  targets.list(
    [entry('pbs-like', 'pve1', { shared: 0, plugintype: 'dir' }), entry('vm', 'pve1', { content: 'images' })],
    online,
  )
  expect([...targets.all()]).toMatchObject([{ storage: 'pbs-like', type: 'dir', node: 'pve1' }])
})

test('one that is no longer listed goes; that of a node that is off stays and is not polled', () => {
  const targets = new BackupTargets()
  const local = entry('local', 'pve1', { shared: 0, plugintype: 'dir' })
  targets.list([local, entry('nas', 'pve2')], online)
  expect(targets.list([entry('nas', 'pve2')], (node) => node !== 'pve1')).toEqual([])
  expect([asked(targets), [...targets.all()].length]).toEqual([['storage nas: pve2'], 2])
  expect(targets.list([], online).map(nameOf)).toEqual(['storage local on pve1', 'storage nas'])
})
