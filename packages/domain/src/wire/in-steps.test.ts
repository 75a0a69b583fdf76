import type { AnyRecord, Guest, PbsBackup } from '@pulse/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyTables } from '../state/tables.ts'
import { atOnce, type InSteps, jsonInSteps, sortedInSteps, STEP } from './in-steps.ts'
import { plainJson } from './plain.ts'
import { createWireWriter, wireWriterInSteps } from './write.ts'

test('sorted in steps is sorted', () => {
  const order = (a: number, b: number) => a - b
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 3 * STEP }), (list) => {
      expect(atOnce(sortedInSteps(list, order))).toEqual(list.toSorted(order))
    }),
  )
})

test('JSON in pieces is JSON', () => {
  const long = Array.from({ length: 2 * STEP + 1 }, (_, n) => ({ n }))
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const all = { value, long, none: {}, empty: [] }
      expect(JSON.parse(atOnce(jsonInSteps(all)).join(''))).toEqual(JSON.parse(JSON.stringify(all)))
    }),
  )
})

/** The largest number of records that are read within one step. */
function longestRun(work: InSteps<unknown>, looked: Set<unknown>): number {
  let longest = 0
  for (let step = work.next(); ; step = work.next()) {
    longest = Math.max(longest, looked.size)
    looked.clear()
    if (step.done) return longest
  }
}

/** Records that count reads of their fields. */
function watched<T extends object>(records: readonly T[], field: keyof T, looked: Set<unknown>) {
  for (const record of records) {
    const value = record[field]
    Object.defineProperty(record, field, { enumerable: true, get: () => (looked.add(record), value) })
  }
  return new Map(records.map((record, n) => [String(n), record]))
}

const guestOf = (vmid: number, cpu: number) =>
  ({ id: `g${vmid}`, vmid, name: `g${vmid}`, type: 'qemu', cpu, source: 's' }) as Guest
const guestsOf = (count: number, cpu: number) =>
  Array.from({ length: count }, (_, n) => guestOf(count - n, cpu))

test('[design 9] ten thousand guests and as many backups: a few hundred records per step at most', () => {
  const looked = new Set<unknown>()
  const tables = emptyTables()
  tables.guests = watched(guestsOf(10_000, 0), 'name', looked)
  const backups = Array.from({ length: 10_000 }, (_, n) => ({
    id: `b${n}`,
    backupTime: `${(n * 7919) % 10_000}`,
  }))
  tables.pbsBackups = watched(backups as PbsBackup[], 'backupTime', looked)
  const meta = { performance: {}, stats: {} } as never
  expect(longestRun(plainJson(tables, meta, 0), looked)).toBeLessThanOrEqual(3 * STEP)

  const writer = createWireWriter('live', 'e', tables)
  expect(longestRun(writer.snapshot(), looked)).toBeLessThanOrEqual(STEP)
  const put = watched(guestsOf(10_000, 1), 'name', looked)
  const advance = writer.advance({ guests: { put, remove: new Set() } })
  expect(longestRun(advance, looked)).toBeLessThanOrEqual(2 * STEP)
})

test('an identical record object costs nothing on the wire', () => {
  const looked = new Set<unknown>()
  const guests = watched(guestsOf(5, 0), 'name', looked)
  const writer = createWireWriter('live', 'e', { guests: guests as ReadonlyMap<string, AnyRecord> })
  looked.clear()
  expect(atOnce(writer.advance({ guests: { put: guests, remove: new Set() } }))).toBeUndefined()
  expect(looked.size).toBe(0)
})

test('a snapshot is the state at its request, whatever is sent meanwhile', () => {
  const guests = new Map(guestsOf(3 * STEP, 0).map((guest) => [guest.id, guest]))
  const writer = createWireWriter('live', 'e', { guests })
  const work = writer.snapshot()
  work.next()
  atOnce(writer.advance({ guests: { put: new Map([['g1', guestOf(1, 1)]]), remove: new Set(['g2']) } }))
  const snapshot = JSON.parse(atOnce(work).join('')) as { rev: number; state: { guests: (Guest | null)[] } }
  expect(snapshot.rev).toBe(0)
  expect(snapshot.state.guests.every((guest) => guest?.cpu === 0)).toBe(true)
})

test('a writer created in steps has the state at its start', () => {
  const guests = new Map(guestsOf(5 * STEP, 0).map((guest) => [guest.id, guest]))
  const work = wireWriterInSteps('live', 'e', { guests })
  let steps = 1
  for (let step = work.next(); !step.done; step = work.next()) steps++
  expect(steps).toBeGreaterThanOrEqual(5)
  const begun = wireWriterInSteps('live', 'e', { guests })
  begun.next()
  const before = [...guests.keys()]
  guests.clear()
  const writer = atOnce(begun)
  const { index } = JSON.parse(atOnce(writer.snapshot()).join('')) as { index: { guests: string[] } }
  expect(index.guests).toEqual(before)
  const frame = atOnce(writer.advance({ guests: { put: new Map(), remove: new Set(before) } }))
  expect(frame?.remove?.guests).toHaveLength(before.length)
})
