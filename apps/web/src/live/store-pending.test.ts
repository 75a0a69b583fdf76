import type { AnyRecord, DeltaFrame, Guest } from '@pulse/contract'
import {
  atOnce,
  createLazyReader,
  createWireReader,
  createWireWriter,
  diffRecords,
  type StatePatch,
  usageOf,
} from '@pulse/domain'
import { aGuest } from '@pulse/testkit'
import fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { createLiveStore } from './store.ts'

type View = ReadonlyMap<string, AnyRecord>

const ids = ['1', '2', '3', '4', '5']
const paths = ['cpu', 'memory.used', 'disk.used', 'networkIn', 'status']

const aMemory = fc.record({ used: fc.constantFrom(1, 2, 4), total: fc.constantFrom(4, 8) })
const figures = fc.record(
  {
    cpu: fc.constantFrom(0.1, 0.5, 0.97),
    memory: aMemory.map(({ used, total }) => usageOf(used, total)),
    disk: fc.constantFrom({ total: 9 }, usageOf(1, 9), usageOf(9, 9)),
    networkIn: fc.constantFrom(0, 5),
    status: fc.constantFrom('running', 'stopped'),
    ipAddresses: fc.constantFrom(['10.0.0.1'], ['10.0.0.2']),
    lock: fc.constant('backup'),
  },
  { requiredKeys: ['status'] },
)
const id = fc.constantFrom(...ids)
const aStep = fc.record({
  /** by id; undefined removes the record */
  change: fc.dictionary(id, fc.option(figures, { freq: 4 }), { maxKeys: 4 }),
  /** changed records were removed and added between two frames */
  again: fc.boolean(),
  looks: fc.array(
    fc.record({ how: fc.constantFrom('get', 'read', 'all', 'follow', 'frame', 'snapshot'), id }),
    { maxLength: 4 },
  ),
})

const toGuest = (key: string, known: object): Guest => {
  const {
    cpu: _cpu,
    memory: _memory,
    disk: _disk,
    networkIn: _in,
    ...bare
  } = aGuest({ vmid: 100 + Number(key) })
  return { ...bare, ...known }
}

const at = (record: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((of, field) => (of as Record<string, unknown> | undefined)?.[field], record) ?? null

/** The state as a new connection reads it. */
function freshView(state: ReadonlyMap<string, Guest>): View {
  const frame = atOnce(createWireWriter('live', 'fresh', { guests: state }).snapshot()).join('')
  const change = createWireReader().read(JSON.parse(frame) as DeltaFrame)
  return change === 'gap' ? new Map() : (change.changed.guests?.put ?? new Map())
}

function setup() {
  const frames: (() => void)[] = []
  const store = createLiveStore((run) => void frames.push(run))
  const writer = createWireWriter('live', 'e')
  const reader = createLazyReader()
  let state = new Map<string, Guest>()
  const apply = (json: string) => {
    const change = reader.read(JSON.parse(json) as DeltaFrame)
    if (change === 'gap') throw new Error('unexpected gap')
    store.apply(change.changed, change.reset ? ['guests'] : [])
  }
  const snapshot = () => apply(atOnce(writer.snapshot()).join(''))
  snapshot()
  return {
    store,
    snapshot,
    nextFrame: () => frames.splice(0).forEach((run) => run()),
    change(known: Record<string, object | null>, again: boolean): View {
      const next = new Map(state)
      for (const [key, one] of Object.entries(known)) {
        if (one) next.set(key, toGuest(key, one))
        else next.delete(key)
      }
      const { put, remove } = diffRecords(state, next) ?? { put: new Map<string, Guest>(), remove: new Set() }
      const guests = { put, remove: again ? new Set([...put.keys(), ...remove]) : remove }
      const frame = atOnce(writer.advance({ guests } as StatePatch))
      if (frame) apply(JSON.stringify(frame))
      state = next
      return freshView(state)
    },
  }
}

type Store = ReturnType<typeof setup>['store']

/** The changes since a version include every changed record with its newest value. */
function expectReported(store: Store, version: number, before: View, now: View) {
  const all = [...new Set([...before.keys(), ...now.keys()])]
  const changed = store.changedSince('guests', version)
  if (!changed) return
  expect(changed).toEqual(
    expect.arrayContaining(all.filter((one) => !isDeepStrictEqual(before.get(one), now.get(one)))),
  )
  for (const path of paths) {
    const reported = new Set(
      store.changedSince('guests', version, (field, one) => one !== path && path.startsWith(field)),
    )
    store.eachChanged('guests', version, path, (one, value) => {
      reported.add(one)
      expect([one, path, value]).toEqual([one, path, at(now.get(one), path)])
    })
    for (const one of all)
      if (at(before.get(one), path) !== at(now.get(one), path)) expect(reported).toContain(one)
  }
}

test('reads in any order and at any time equal those of a new connection', () => {
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 8 }), (steps) => {
      const { store, snapshot, nextFrame, change } = setup()
      const views = new Map<number, View>([[store.version('guests'), new Map()]])
      const snapshots: [AnyRecord, asItWas: AnyRecord][] = []
      const drawn = new Map<string, AnyRecord | undefined>()
      for (const step of steps) {
        const now = change(step.change, step.again)
        views.set(store.version('guests'), now)
        expect(new Set(store.ids('guests'))).toEqual(new Set(now.keys()))
        for (const [version, before] of views) expectReported(store, version, before, now)
        const records = store.records('guests')
        for (const { how, id } of step.looks) {
          const one = how === 'get' || how === 'follow' ? store.get('guests', id) : undefined
          if (one) snapshots.push([one, structuredClone(one)])
          if (how === 'get') expect(one).toEqual(now.get(id))
          else if (how === 'read') expect(records.get(id)).toEqual(now.get(id))
          else if (how === 'all') expect(new Map(records)).toEqual(now)
          else if (how === 'follow' && !drawn.has(id)) {
            drawn.set(id, one)
            store.onRecord('guests', id, () => drawn.set(id, store.get('guests', id)))
          } else if (how === 'frame') {
            nextFrame()
            for (const [followed, seen] of drawn) {
              expect(seen).toEqual(now.get(followed))
              expect(store.get('guests', followed)).toBe(seen)
            }
          } else if (how === 'snapshot') {
            snapshot()
            views.set(store.version('guests'), now)
          }
        }
      }
      for (const [one, asItWas] of snapshots) expect(one).toEqual(asItWas)
    }),
  )
})
