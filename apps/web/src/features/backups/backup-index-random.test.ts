import { aGuest, aPbsBackup, aStorageBackup } from '@pulse/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { createBackupIndex } from './backup-index.ts'

const source = fc.constantFrom('a', 'b')
const id = fc.constantFrom('x', 'y', 'z')
const type = fc.constantFrom('qemu' as const, 'lxc' as const)
const name = fc.constantFrom('web', 'db')
const words = fc.constantFrom('web', 'nightly', 'db\nnightly')
const clusters = fc.constantFrom<string[] | undefined>(undefined, ['a'], ['b'], ['a', 'b'])

const guest = fc
  .record({ source, vmid: fc.constantFrom(100, 101), type, name })
  .map((one) => ({ guests: { [`${one.source}:${one.vmid}`]: aGuest({ ...one, instance: one.source }) } }))
const held = fc
  .record({
    vmid: fc.constantFrom('100', '100', '101'),
    namespace: fc.constantFrom('', 'b'),
    datastore: fc.constantFrom('main', 'second'),
    backupType: fc.constantFrom('vm', 'vm', 'ct', 'host'),
    comment: words,
    listedBy: clusters,
  })
  .chain(({ listedBy, ...one }) =>
    id.map((key) => ({ pbsBackups: { [key]: aPbsBackup({ ...one, ...(listedBy && { listedBy }) }) } })),
  )
const file = fc
  .record({ source, vmid: fc.constantFrom(100, 101), type, notes: words, listedBy: clusters })
  .chain(({ listedBy, ...one }) =>
    id.map((key) => ({
      pveBackups: { [key + 'f']: aStorageBackup({ ...one, isPBS: true, ...(listedBy && { listedBy }) }) },
    })),
  )
const gone = fc.constantFrom(
  ...['a:100', 'a:101', 'b:100', 'b:101'].map((one) => ['guests', one] as const),
  ...['x', 'y', 'z'].map((one) => ['pbsBackups', one] as const),
  ...['xf', 'yf', 'zf'].map((one) => ['pveBackups', one] as const),
)
const step = fc.oneof(guest, held, file, gone)

test('after whatever came, changed and went, every backup is what who looks for the first time would see', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(step, fc.boolean()), { maxLength: 30, size: 'max' }), (steps) => {
      const live = aLive()
      const indexOf = createBackupIndex()
      let mirror = new Map<string, unknown>()
      let version = indexOf(live.store).version
      for (const [one, looks] of steps) {
        if (Array.isArray(one)) live.remove(one[0], one[1])
        else live.put(one as Parameters<typeof live.put>[0])
        if (!looks) continue
        const index = indexOf(live.store)
        const changed = index.changedSince(version)
        version = index.version
        if (changed === undefined) mirror = new Map(index.records)
        for (const key of changed ?? []) {
          const row = index.records.get(key)
          if (row) mirror.set(key, row)
          else mirror.delete(key)
        }
        expect(Object.fromEntries(mirror)).toEqual(Object.fromEntries(index.records))
      }
      const [now, fresh] = [indexOf(live.store), createBackupIndex()(live.store)]
      expect(Object.fromEntries(now.records)).toEqual(Object.fromEntries(fresh.records))
      expect([now.hasHosts, now.hasOwners]).toEqual([fresh.hasHosts, fresh.hasOwners])
    }),
    { numRuns: 300 },
  )
})

test('looked at in small steps while more comes, every backup is what who looks for the first time would see', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(step, fc.nat(3)), { maxLength: 30, size: 'max' }), (steps) => {
      const live = aLive()
      const indexOf = createBackupIndex(undefined, 1)
      indexOf(live.store)
      for (const [one, count] of steps) {
        if (Array.isArray(one)) live.remove(one[0], one[1])
        else live.put(one as Parameters<typeof live.put>[0])
        indexOf(live.store)
        if (count > 0) indexOf.step(live.store, count)
      }
      while (indexOf.step(live.store, 1) === 'more');
      const [now, fresh] = [indexOf(live.store), createBackupIndex()(live.store)]
      expect(Object.fromEntries(now.records)).toEqual(Object.fromEntries(fresh.records))
      expect([now.hasHosts, now.hasOwners]).toEqual([fresh.hasHosts, fresh.hasOwners])
    }),
    { numRuns: 300 },
  )
})
