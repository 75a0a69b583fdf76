import { type AnyRecord, META_ID, type PlainState, type RecordKind, type RecordOf } from '@pulse/contract'
import { aGuest, aMeta, aNode } from '@pulse/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyTables, type Tables } from '../state/tables.ts'
import { atOnce, STEP } from './in-steps.ts'
import { createPlainWriter, plainJson } from './plain.ts'

const now = Date.UTC(2026, 0, 2)
const lists = ['backupTasks', 'storageBackups', 'guestSnapshots']

const backupOf = (n: number) =>
  ({ id: `b${n}`, source: 's', list: lists[n % 3], time: `${(n * 7919) % 1000}`, volid: `v${n}` }) as never

type Changing = { [K in RecordKind]: Map<string, RecordOf<K>> }

function filled(backups: number): Changing {
  const tables = emptyTables() as Changing
  tables.meta.set(META_ID, aMeta())
  tables.nodes.set('n', aNode())
  for (let n = 0; n < backups; n++) tables.pveBackups.set(`b${n}`, backupOf(n))
  return tables
}

/** Encodes JSON and records every encoded text. */
function given() {
  const made: string[] = []
  const writer = createPlainWriter((text) => {
    made.push(text)
    return text
  })
  return {
    made,
    writer,
    parts: (tables: Tables, at = now) => atOnce(writer.write(tables, aMeta(), at)).parts,
  }
}

const textOf = (parts: readonly { pieces: readonly string[] }[]) =>
  parts.flatMap(({ pieces }) => pieces).join('')

test('unchanged backups come from the cache, guests are written again', () => {
  const tables = filled(9 * STEP)
  for (let n = 0; n < 2 * STEP; n++) tables.guests.set(`g${n}`, aGuest({ vmid: n }))
  const { made, writer, parts } = given()
  const first = parts(tables)
  const kept = first.filter(({ isKept }) => isKept)
  expect(new Set(kept.map(({ pieces }) => pieces)).size).toBe(3)
  made.length = 0
  tables.guests.set('g1', aGuest({ vmid: 1, name: 'renamed' }))
  writer.changed(['guests'])
  const second = parts(tables, now + 1_000)
  expect(made.some((text) => text.includes('renamed'))).toBe(true)
  expect(made.some((text) => text.includes('volid'))).toBe(false)
  expect(second.filter(({ isKept }) => isKept).map(({ pieces }) => pieces)).toEqual(
    kept.map(({ pieces }) => pieces),
  )
  expect(textOf(second)).toBe(atOnce(plainJson(tables, aMeta(), now + 1_000)).join(''))
})

test('without a cache everything is written again', () => {
  const tables = filled(9 * STEP)
  const { made, writer, parts } = given()
  parts(tables)
  made.length = 0
  writer.forget()
  parts(tables)
  expect(made.filter((text) => text.includes('volid'))).toHaveLength(9)
})

test('changes during a write are written the next time', () => {
  const tables = filled(3 * STEP)
  const { writer, parts } = given()
  const work = writer.write(tables, aMeta(), now)
  work.next()
  tables.pveBackups.set('late', backupOf(7_000_000))
  writer.changed(['pveBackups'])
  expect(textOf(atOnce(work).parts)).not.toContain('v7000000')
  expect(textOf(parts(tables))).toContain('v7000000')
})

test('with random changes the result equals one written without a cache', () => {
  const kinds = { nodes: aNode, pveBackups: backupOf } as const
  const change = fc.record({
    kind: fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[])),
    from: fc.nat(3 * STEP),
    count: fc.nat(STEP),
    isGone: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 5 }), (rounds) => {
      const tables = filled(2 * STEP)
      const { writer, parts } = given()
      let at = now
      for (const changes of rounds) {
        const touched = new Set<RecordKind>()
        for (const { kind, from, count, isGone } of changes) {
          const table = tables[kind] as Map<string, AnyRecord>
          for (let n = from; n < from + count; n++) {
            if (isGone) table.delete(`b${n}`)
            else table.set(`b${n}`, kind === 'nodes' ? aNode({ name: `n${n}` }) : backupOf(n + at))
          }
          touched.add(kind)
        }
        writer.changed(touched)
        at += 1_000
        expect(textOf(parts(tables, at))).toBe(atOnce(plainJson(tables, aMeta(), at)).join(''))
      }
    }),
    { numRuns: 25 },
  )
})

test('a record that cannot be written is left out, and those around it are written in their order', () => {
  const evil = JSON.parse('{"toString":1,"valueOf":1}') as never
  const tables = filled(0)
  for (let n = 0; n < 2 * STEP + 2; n++) tables.guests.set(`g${n}`, aGuest({ vmid: n, name: `guest ${n}` }))
  // all of the first step
  for (let n = 0; n < STEP; n++)
    tables.guests.set(`g${n}`, aGuest({ vmid: n, memory: null as never, disks: evil }))
  tables.nodes.set('evil', aNode({ name: evil }))
  const faults: unknown[] = []
  const writer = createPlainWriter(
    (text) => text,
    (error) => void faults.push(error),
  )
  const plain = JSON.parse(textOf(atOnce(writer.write(tables, aMeta(), now)).parts)) as PlainState
  expect(plain.vms.map(({ name }) => name)).toEqual(
    Array.from({ length: STEP + 2 }, (_, n) => `guest ${n + STEP}`),
  )
  expect(plain.nodes).toHaveLength(2)
  expect(faults).toEqual([expect.any(TypeError)])
})
