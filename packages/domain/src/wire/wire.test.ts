import type { AnyRecord, DeltaFrame, Guest, PatchFrame, RecordKind, SnapshotFrame } from '@pulse/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyRecords, diffRecords, type StatePatch } from '../state/patch.ts'
import { usageOf } from '../usage.ts'
import { atOnce, type InSteps, jsonInSteps } from './in-steps.ts'
import { createLazyReader, createWireReader, type LazyRecords } from './read.ts'
import { createWireWriter } from './write.ts'

const bytes = fc.integer({ min: 0, max: 2 ** 44 })
const usage = fc.tuple(bytes, bytes).map(([a, b]) => usageOf(Math.min(a, b), Math.max(a, b)))
const guest: fc.Arbitrary<Guest> = fc.record(
  {
    id: fc.constantFrom('pve-a-100', 'pve-b-100'),
    instance: fc.constant('pve'),
    node: fc.constantFrom('a', 'b'),
    vmid: fc.integer({ min: 100, max: 105 }),
    name: fc.string({ maxLength: 4 }),
    type: fc.constantFrom('qemu' as const, 'lxc' as const),
    status: fc.constantFrom('running', 'stopped'),
    cpu: fc.double({ min: 0, max: 1, noNaN: true }),
    cpus: fc.integer({ min: 1, max: 8 }),
    memory: usage,
    disk: fc.oneof(
      usage,
      bytes.map((total) => ({ total })),
    ),
    diskRead: fc.double({ min: 0, max: 1e9, noNaN: true }),
    networkIn: fc.double({ min: 0, max: 1e9, noNaN: true }),
    startedAt: fc.integer({ min: 0, max: 1e6 }),
    template: fc.constant(false),
    lock: fc.constantFrom('backup', 'migrate'),
    ipAddresses: fc.array(fc.ipV4(), { maxLength: 2 }),
    source: fc.constant('pve-1'),
    staleSince: fc.integer({ min: 1, max: 9 }),
  },
  {
    requiredKeys: [
      'id',
      'instance',
      'node',
      'vmid',
      'name',
      'type',
      'status',
      'cpu',
      'cpus',
      'template',
      'source',
    ],
  },
)
const ids = ['1', '2', '3', '4']
const guests = fc.dictionary(fc.constantFrom(...ids), guest).map((d) => new Map(Object.entries(d)))

const travel = (frame: DeltaFrame) => JSON.parse(atOnce(jsonInSteps(frame)).join('')) as DeltaFrame
const arrived = (pieces: InSteps<string[]>) => JSON.parse(atOnce(pieces).join('')) as SnapshotFrame
const asPatch = (change: unknown) => (change ? { guests: change } : {}) as StatePatch
type View = Map<string, AnyRecord>

/** The state that a client receives when it connects now. */
function freshView(records: ReadonlyMap<string, Guest>): View {
  const frame = arrived(createWireWriter('live', 'fresh', { guests: records }).snapshot())
  const change = createWireReader().read(frame)
  return change === 'gap' ? new Map() : new Map(change.changed.guests?.put ?? [])
}

describe('the compact wire', () => {
  test('a client that followed every patch sees what a fresh one sees', () => {
    fc.assert(
      fc.property(guests, fc.array(guests, { maxLength: 6 }), (first, steps) => {
        const writer = createWireWriter('live', 'e', { guests: first })
        const reader = createWireReader()
        const start = reader.read(arrived(writer.snapshot()))
        let view: View = new Map(start === 'gap' ? [] : (start.changed.guests?.put ?? []))
        let state: Map<string, Guest> = first
        for (const next of steps) {
          const frame = atOnce(writer.advance(asPatch(diffRecords(state, next))))
          if (frame) {
            const change = reader.read(travel(frame))
            if (change === 'gap') throw new Error('unexpected gap')
            if (change.changed.guests) view = applyRecords(view, change.changed.guests)
          }
          state = next
          expect(view).toEqual(freshView(state))
        }
      }),
    )
  })

  test('a record that is read now and then is up to date, however many patches came in between', () => {
    fc.assert(
      fc.property(
        guests,
        fc.array(fc.tuple(guests, fc.subarray(ids), fc.boolean()), { maxLength: 6 }),
        (first, steps) => {
          const writer = createWireWriter('live', 'e', { guests: first })
          const reader = createLazyReader()
          const start = reader.read(arrived(writer.snapshot()))
          let view: View = new Map(start === 'gap' ? [] : (start.changed.guests?.put ?? []))
          let lazy: LazyRecords | undefined
          let state: Map<string, Guest> = first
          for (const [next, looked, asCopy] of steps) {
            const frame = atOnce(writer.advance(asPatch(diffRecords(state, next))))
            const change = frame && reader.read(travel(frame))
            if (change === 'gap') throw new Error('unexpected gap')
            if (change?.changed.guests) view = applyRecords(view, change.changed.guests)
            const set = change?.changed.guests?.set
            lazy = set?.records ?? lazy
            state = next
            const fresh = freshView(state)
            expect(new Set(view.keys())).toEqual(new Set(fresh.keys()))
            for (const id of looked.filter((id) => view.has(id))) {
              set?.each('memory.used', (one, used) => {
                if (one === id) expect(used).toBe((fresh.get(id) as Guest).memory?.used ?? null)
              })
              view.set(id, lazy?.renew(id, asCopy) ?? view.get(id)!)
              expect(view.get(id)).toEqual(fresh.get(id))
            }
          }
        },
      ),
    )
  })

  test('an update writes into a record only when it is read, and then derives only what depends on the changed values', () => {
    const writes: string[] = []
    const counted = (id: string) =>
      new Proxy(usageOf(1e9, 4e9), {
        set(target, field, value) {
          writes.push(`${id} ${String(field)}`)
          return Reflect.set(target, field, value)
        },
      })
    const reader = createLazyReader()
    const records = ids.map((id) => ({ id, cpu: 0.1, networkIn: 1, memory: counted(id) }) as Guest)
    reader.read({
      t: 'snapshot',
      s: 'live',
      epoch: 'e',
      rev: 0,
      index: { guests: ids },
      state: { guests: records },
    })
    const patch = (rev: number, set: PatchFrame['set']) => {
      writes.length = 0
      const change = reader.read({ t: 'patch', s: 'live', epoch: 'e', rev, from: rev - 1, set } as PatchFrame)
      return change === 'gap' ? undefined : change.changed.guests!.set!
    }
    const first = patch(1, {
      guests: { cpu: { i: [0, 1, 2], v: [1, 1, 1] }, networkIn: { i: [1, 2], v: [9, 9] } },
    })!
    expect([first.ids(), first.ids((field) => field === 'networkIn')]).toEqual([
      ['1', '2', '3'],
      ['2', '3'],
    ])
    const second = patch(2, { guests: { cpu: { i: [0], v: [0.2] }, 'memory.used': { i: [3], v: [2e9] } } })!
    expect(records[0]!.cpu).toBe(0.1)
    for (const id of ids) second.records.renew(id, false)
    expect(writes).toEqual(['4 used', '4 free', '4 usage'])
    expect(records[3]!.memory).toMatchObject({ used: 2e9, free: 2e9, usage: 50 })
    expect(records.map(({ cpu }) => cpu)).toEqual([0.2, 1, 1, 0.1])
    for (const id of ids) second.records.renew(id, false)
    expect(writes).toHaveLength(3)
  })

  test('a new nested object is completed, and fields that can no longer be derived are removed', () => {
    const reader = createWireReader()
    const start = { id: '1', disk: { total: 4, used: 1 } } as Guest
    reader.read({
      t: 'snapshot',
      s: 'live',
      epoch: 'e',
      rev: 0,
      index: { guests: ['1'] },
      state: { guests: [start] },
    })
    const after = (rev: number, set: PatchFrame['set']) => {
      const change = reader.read({ t: 'patch', s: 'live', epoch: 'e', rev, from: rev - 1, set } as PatchFrame)
      return change === 'gap' ? undefined : (change.changed.guests!.put.get('1') as Guest).disk
    }
    expect(after(1, { guests: { 'disk.used': { i: [0], v: [null] } } })).toEqual({ total: 4 })
    expect(after(2, { guests: { disk: { i: [0], v: [{ total: 8, used: 2 }] } } })).toEqual({
      total: 8,
      used: 2,
      free: 6,
      usage: 25,
    })
    expect(after(3, { guests: { disk: { i: [0], v: [null] } } })).toBeUndefined()
  })

  test('the values on the wire are within the stated noise of the real ones', () => {
    fc.assert(
      fc.property(guests, (state) => {
        for (const [id, shown] of freshView(state) as Map<string, Guest>) {
          const truth = state.get(id)!
          expect(Math.abs(shown.cpu! - truth.cpu!)).toBeLessThanOrEqual(0.0005 + 1e-9)
          if (truth.diskRead !== undefined) {
            expect(Math.abs(shown.diskRead! - truth.diskRead)).toBeLessThanOrEqual(
              truth.diskRead * 0.01 + 0.5,
            )
          }
          if (truth.memory && truth.memory.total > 0) {
            expect(Math.abs(shown.memory!.usage - truth.memory.usage)).toBeLessThanOrEqual(0.11)
          }
        }
      }),
    )
  })

  test('noise is not a change', () => {
    const one: Guest = {
      id: 'a-1',
      instance: 'a',
      node: 'a',
      vmid: 1,
      name: 'x',
      type: 'qemu',
      status: 'running',
      cpu: 0.5,
      cpus: 1,
      template: false,
      source: 's',
      networkIn: 1_000_000,
    }
    const writer = createWireWriter('live', 'e', { guests: new Map([['1', one]]) })
    const quiet = new Map([['1', { ...one, cpu: 0.50001, networkIn: 1_000_900 }]])
    expect(atOnce(writer.advance(asPatch({ put: quiet, remove: new Set() })))).toBeUndefined()
    const loud = new Map([['1', { ...one, cpu: 0.6 }]])
    expect(atOnce(writer.advance(asPatch({ put: loud, remove: new Set() })))?.set).toEqual({
      guests: { cpu: { i: [0], v: [0.6] } },
    })
  })

  test('[design 5] the newest answer of a source travels as one field of one source', () => {
    const source = (lastSeen: number) => ({ name: 'home', kind: 'pve', health: 'healthy', lastSeen }) as const
    const sources = new Map([
      ['pve-1', source(1)],
      ['pve-2', source(1)],
    ])
    const writer = createWireWriter('live', 'e', { sources })
    const patch = { sources: { put: new Map([['pve-2', source(2)]]), remove: new Set<string>() } }
    const frame = atOnce(writer.advance(patch))
    expect(frame).toEqual({
      t: 'patch',
      s: 'live',
      epoch: 'e',
      rev: 1,
      from: 0,
      set: { sources: { lastSeen: { i: [1], v: [2] } } },
    })
  })

  test('a frame that does not build on the last one read is a gap, until a snapshot', () => {
    const writer = createWireWriter('live', 'e')
    const reader = createWireReader()
    const put = (cpu: number) =>
      atOnce(
        writer.advance({
          nodes: { put: new Map([['n', { cpu } as never]]), remove: new Set() },
        }),
      )!
    reader.read(arrived(writer.snapshot()))
    put(0.1)
    expect(reader.read(travel(put(0.2)))).toBe('gap')
    expect(reader.read(arrived(writer.snapshot()))).not.toBe('gap')
    expect(reader.read(travel(writer.heartbeat()))).toEqual({ reset: false, changed: {} })
    expect(reader.read({ ...writer.heartbeat(), epoch: 'other' })).toBe('gap')
  })

  test('a frame that cannot be read counts as not read: the next one is a gap', () => {
    const writer = createWireWriter('live', 'e', { nodes: new Map([['n', { cpu: 0 } as never]]) })
    const reader = createWireReader()
    reader.read(arrived(writer.snapshot()))
    const broken = travel(
      atOnce(writer.advance({ nodes: { put: new Map([['n', { cpu: 1 } as never]]), remove: new Set() } }))!,
    )
    expect(() => reader.read({ ...broken, set: { nodes: { cpu: { i: [0] } } } } as never)).toThrow()
    expect(reader.read(travel(writer.heartbeat()))).toBe('gap')
    expect(() => reader.read({ ...arrived(writer.snapshot()), state: {} })).toThrow()
    expect(reader.read(travel(writer.heartbeat()))).toBe('gap')
    expect(reader.read(arrived(writer.snapshot()))).not.toBe('gap')
  })

  test('indices are never used twice within an epoch, and waste shows when to begin a new one', () => {
    const writer = createWireWriter('live', 'e', {
      nodes: new Map([['a', { cpu: 0 } as never]]),
    } as { [K in RecordKind]?: ReadonlyMap<string, AnyRecord> })
    atOnce(writer.advance({ nodes: { put: new Map(), remove: new Set(['a']) } }))
    const frame = atOnce(
      writer.advance({ nodes: { put: new Map([['b', { cpu: 1 } as never]]), remove: new Set() } }),
    )
    expect(frame?.add).toEqual({ nodes: [['b', { cpu: 1 }]] })
    expect(arrived(writer.snapshot()).index.nodes).toEqual([null, 'b'])
    expect(writer.waste()).toBe(0.5)
  })
})
