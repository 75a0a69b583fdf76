import type { AnyRecord, PveBackup, RecordKind } from '@pulse/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createEstate } from '../estate.ts'
import { applyRecords, type KindPatch, type StatePatch } from '../state/patch.ts'
import type { Derivation } from './derivation.ts'
import { aGuest, given, listed, onServer } from './fixtures.ts'
import { derivations } from './index.ts'

const sources = ['edge', 'main', 'pbs-1'] as const
const kinds = ['guests', 'pveBackups', 'pbsBackups', 'cephClusters'] as const
type Picture = Partial<Record<RecordKind, ReadonlyMap<string, AnyRecord>>>

const source = fc.constantFrom(...sources)
const vmid = fc.constantFrom(100, 101)
const minute = fc.constantFrom(1, 2)
const stale = fc.constantFrom({}, { staleSince: 1 })
const guest = fc
  .tuple(source, vmid, fc.constantFrom('qemu', 'lxc'), fc.constantFrom('a', 'b'), stale)
  .map(([from, id, type, name, more]) => aGuest(from, id, { type: type as 'qemu', name, ...more }))
const local = fc
  .tuple(source, vmid, minute, fc.constantFrom(0, 5, 6), fc.boolean(), fc.constantFrom('qemu', 'unknown'))
  .map(([from, id, at, size, isPBS, type]) => listed(from, id, at, { size, isPBS, type: type as 'qemu' }))
const remote = fc
  .tuple(vmid, minute, fc.constantFrom(5, 6), fc.constantFrom('', 'dc/main'), fc.constantFrom('a', ''))
  .map(([id, at, size, namespace, comment]) => onServer(id, at, { size, namespace, comment }))
const ceph = fc
  .tuple(source, fc.integer({ min: 0, max: 3 }), stale)
  .map(([instance, usedBytes, more]) => ({ id: 'f', instance, usedBytes, source: instance, ...more }))

/** Few identities that any source may claim, so that they collide. */
const keyed = <T>(one: fc.Arbitrary<T>) =>
  fc.array(fc.tuple(fc.constantFrom('x', 'y', 'z'), one), { maxLength: 3 }).map((entries) => new Map(entries))
const picture = fc.record(
  { guests: keyed(guest), pveBackups: keyed(local), pbsBackups: keyed(remote), cephClusters: keyed(ceph) },
  { requiredKeys: [] },
) as unknown as fc.Arbitrary<Picture>
const steps = fc.array(fc.tuple(source, fc.option(picture, { freq: 4 })), { maxLength: 12 })

const plain = (tables: Picture) =>
  Object.fromEntries(kinds.map((kind) => [kind, Object.fromEntries(tables[kind] ?? new Map())]))

describe('what is joined follows every step', () => {
  test('as if all of it had been said at once, in any order', () => {
    fc.assert(
      fc.property(steps, fc.shuffledSubarray([...sources], { minLength: 3 }), (all, order) => {
        const estate = createEstate()
        const latest = new Map<string, Picture>()
        for (const [from, said] of all) {
          if (said) {
            estate.observe(from, said as never)
            latest.set(from, { ...latest.get(from), ...said })
          } else {
            estate.forget(from)
            latest.delete(from)
          }
        }
        const fresh = createEstate()
        for (const from of order) fresh.observe(from, (latest.get(from) ?? {}) as never)
        expect(plain(estate.tables as Picture)).toEqual(plain(fresh.tables as Picture))
      }),
      { numRuns: 300 },
    )
  })

  test('and its patches lead a reader to the same', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const estate = createEstate()
        let mirror: Picture = {}
        for (const [from, said] of all) {
          const patch = said ? estate.observe(from, said as never) : estate.forget(from)
          mirror = follow(mirror, patch)
          expect(plain(mirror)).toEqual(plain(estate.tables as Picture))
        }
      }),
    )
  })
})

/** Observations, of which some are applied before the next one. */
const halting = fc.array(fc.tuple(source, fc.option(picture, { freq: 4 }), fc.constantFrom(1, 2, 9)), {
  maxLength: 12,
})

describe('what is taken in by steps', () => {
  test('leads to the same tables and patches, whatever is observed in between', () => {
    fc.assert(
      fc.property(halting, (all) => {
        const [estate, fresh] = [createEstate(derivations(), undefined, 1), createEstate()]
        let mirror: Picture = {}
        const left: Iterator<StatePatch, void>[] = []
        const take = (steps: Iterator<StatePatch, void>, most: number) => {
          for (let n = 0; n < most; n++) {
            const step = steps.next()
            if (step.done) return
            mirror = follow(mirror, step.value)
            expect(plain(mirror)).toEqual(plain(estate.tables as Picture))
          }
          left.push(steps)
        }
        for (const [from, said, most] of all) {
          if (said) take(estate.observeInSteps(from, said as never), most)
          else mirror = follow(mirror, estate.forget(from))
          if (said) fresh.observe(from, said as never)
          else fresh.forget(from)
        }
        for (const steps of left) take(steps, Infinity)
        expect(plain(estate.tables as Picture)).toEqual(plain(fresh.tables as Picture))
      }),
      { numRuns: 500 },
    )
  })

  test('at most some hundred records are looked into before others have their turn', () => {
    const { estate, count } = counted()
    const guests = new Map(Array.from({ length: 2_300 }, (_, n) => [`main:${n}`, aGuest('main', n)]))
    const patches = [...estate.observeInSteps('main', { guests })]
    expect(patches.map((patch) => patch.guests!.put.size)).toEqual([500, 500, 500, 500, 300])
    expect(count.completions).toBe(2_300)
  })
})

function follow(records: Picture, patch: StatePatch): Picture {
  const next = { ...records }
  for (const [kind, change] of Object.entries(patch) as [RecordKind, KindPatch<AnyRecord>][]) {
    next[kind] = applyRecords(records[kind] ?? new Map(), change)
  }
  return next
}

function counted() {
  const count = { notes: 0, completions: 0 }
  const all = derivations().map((one): Derivation => ({
    ...one,
    note(...args) {
      count.notes++
      one.note(...args)
    },
    complete(...args) {
      count.completions++
      return one.complete(...args)
    },
  }))
  return { estate: createEstate(all), count }
}

describe('it costs what changed, not what is there', () => {
  test('one guest of ten thousand, one backup of thirty thousand', () => {
    const { estate, count } = counted()
    const vmids = Array.from({ length: 10_000 }, (_, n) => n + 1)
    const guests = new Map(vmids.map((id) => [`main:${id}`, aGuest('main', id)]))
    const backups = new Map(
      vmids.flatMap((id) =>
        [1, 2, 3].map((at): [string, PveBackup] => [`${id}-${at}`, listed('main', id, at)]),
      ),
    )
    estate.observe('main', { guests, pveBackups: backups })
    Object.assign(count, { notes: 0, completions: 0 })
    const patch = estate.observe('main', {
      guests: new Map(guests).set('main:5', aGuest('main', 5, { cpu: 0.7 })),
    })
    expect(patch.guests?.put.get('main:5')).toMatchObject({ cpu: 0.7, lastBackup: expect.any(Number) })
    expect(count).toEqual({ notes: 1, completions: 1 })
    estate.observe('main', { pveBackups: new Map(backups).set('new', listed('main', 7, 9)) })
    expect(count).toEqual({ notes: 3, completions: 3 })
  })
})

test('a record nothing is joined to is the very object that was observed', () => {
  const one = aGuest('main', 100)
  const { estate } = given({ main: { guests: [one] } })
  expect(estate.tables.guests.get(one.id)).toBe(one)
})
