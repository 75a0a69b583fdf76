import type { DeltaFrame, PatchFrame } from '@pulse/contract'
import { createLazyReader, usageOf } from '@pulse/domain'
import { aGuest, aNode, anAlert } from '@pulse/testkit'
import { describe, expect, test, vi } from 'vitest'
import { createLiveStore } from './store.ts'

function setup() {
  const frames: (() => void)[] = []
  const store = createLiveStore((run) => void frames.push(run))
  const put = (...vmids: number[]) => new Map(vmids.map((vmid) => [`c:${vmid}`, aGuest({ vmid })]))
  return {
    store,
    frames,
    put,
    putGuests: (...vmids: number[]) => store.apply({ guests: { put: put(...vmids), remove: new Set() } }),
    removeGuests: (...ids: string[]) => store.apply({ guests: { put: new Map(), remove: new Set(ids) } }),
    nextFrame: () => frames.splice(0).forEach((run) => run()),
  }
}

describe('reading', () => {
  test('a record is found by its key, not by its wire id', () => {
    const { store, putGuests } = setup()
    putGuests(100)
    expect(store.get('guests', 'c:100')?.vmid).toBe(100)
    expect(store.get('guests', 'main-pve1-100')).toBeUndefined()
    expect(store.get('nodes', 'c:100')).toBeUndefined()
  })

  test('ids keep their identity until a record is added or removed', () => {
    const { store, putGuests, removeGuests } = setup()
    putGuests(100, 101)
    const before = store.ids('guests')
    putGuests(101)
    expect(store.ids('guests')).toBe(before)
    putGuests(102)
    expect(store.ids('guests')).toEqual(['c:100', 'c:101', 'c:102'])
    removeGuests('c:100')
    expect(store.ids('guests')).toEqual(['c:101', 'c:102'])
    const after = store.ids('guests')
    removeGuests('c:999')
    expect(store.ids('guests')).toBe(after)
  })

  test('the version grows with every change of its kind and with no other', () => {
    const { store, putGuests, removeGuests } = setup()
    expect(store.version('guests')).toBe(0)
    putGuests(100)
    putGuests(100)
    expect(store.version('guests')).toBe(2)
    removeGuests('c:999')
    expect(store.version('guests')).toBe(2)
    expect(store.version('nodes')).toBe(0)
  })

  test('a record removed and put in one patch stays', () => {
    const { store, put, putGuests } = setup()
    putGuests(100)
    store.apply({ guests: { put: put(100), remove: new Set(['c:100']) } })
    expect(store.get('guests', 'c:100')).toBeDefined()
  })
})

describe('snapshots', () => {
  test('a snapshot removes records and kinds that it lacks, and leaves other slices alone', () => {
    const { store, put, putGuests } = setup()
    putGuests(100, 101)
    store.apply({
      nodes: { put: new Map([['n', aNode()]]), remove: new Set() },
      activeAlerts: { put: new Map([['a', anAlert()]]), remove: new Set() },
    })
    store.apply({ guests: { put: put(101, 102), remove: new Set() } }, ['guests', 'nodes'])
    expect(store.ids('guests')).toEqual(['c:101', 'c:102'])
    expect(store.ids('nodes')).toEqual([])
    expect(store.ids('activeAlerts')).toEqual(['a'])
  })

  test('the same members in the same order keep the identity of ids', () => {
    const { store, put, putGuests } = setup()
    putGuests(100, 101)
    const before = store.ids('guests')
    store.apply({ guests: { put: put(100, 101), remove: new Set() } }, ['guests'])
    expect(store.ids('guests')).toBe(before)
    store.apply({ guests: { put: put(101, 100), remove: new Set() } }, ['guests'])
    expect(store.ids('guests')).toEqual(['c:101', 'c:100'])
  })
})

describe('notifications', () => {
  test('many patches within a frame are one call', () => {
    const { store, frames, putGuests, nextFrame } = setup()
    const onRecord = vi.fn<() => void>()
    const onKind = vi.fn<() => void>()
    store.onRecord('guests', 'c:100', onRecord)
    store.onKind('guests', onKind)
    putGuests(100)
    putGuests(100)
    putGuests(100)
    expect(frames).toHaveLength(1)
    expect(onRecord).not.toHaveBeenCalled()
    nextFrame()
    expect([onRecord, onKind].map((fn) => fn.mock.calls.length)).toEqual([1, 1])
    putGuests(100)
    nextFrame()
    expect(onRecord).toHaveBeenCalledTimes(2)
  })

  test('a record listener is called for its own record only', () => {
    const { store, putGuests, removeGuests, nextFrame } = setup()
    const other = vi.fn<() => void>()
    const own = vi.fn<() => void>()
    store.onRecord('guests', 'c:100', own)
    store.onRecord('guests', 'c:101', other)
    putGuests(100)
    nextFrame()
    removeGuests('c:100')
    nextFrame()
    expect(own).toHaveBeenCalledTimes(2)
    expect(other).not.toHaveBeenCalled()
  })

  test('a member listener is not called when a record only changes', () => {
    const { store, putGuests, removeGuests, nextFrame } = setup()
    putGuests(100)
    nextFrame()
    const onMembers = vi.fn<() => void>()
    store.onMembers('guests', onMembers)
    putGuests(100)
    nextFrame()
    expect(onMembers).not.toHaveBeenCalled()
    putGuests(101)
    removeGuests('c:100')
    nextFrame()
    expect(onMembers).toHaveBeenCalledTimes(1)
  })

  test('a listener of two kinds is called once when both changed', () => {
    const { store, nextFrame, put } = setup()
    const listener = vi.fn<() => void>()
    store.onKind('guests', listener)
    store.onKind('nodes', listener)
    store.apply({
      guests: { put: put(100), remove: new Set() },
      nodes: { put: new Map([['n', aNode()]]), remove: new Set() },
    })
    nextFrame()
    expect(listener).toHaveBeenCalledTimes(1)
  })

  test('an unsubscribed listener is not called', () => {
    const { store, putGuests, nextFrame } = setup()
    const listener = vi.fn<() => void>()
    const stops = [
      store.onRecord('guests', 'c:100', listener),
      store.onMembers('guests', listener),
      store.onKind('guests', listener),
    ]
    stops.forEach((stop) => stop())
    putGuests(100)
    nextFrame()
    expect(listener).not.toHaveBeenCalled()
  })

  test('no frame is requested without listeners', () => {
    const { store, frames, putGuests, nextFrame } = setup()
    putGuests(100)
    expect(frames).toHaveLength(0)
    const listener = vi.fn<() => void>()
    store.onMembers('guests', listener)
    putGuests(101)
    nextFrame()
    expect(listener).toHaveBeenCalledTimes(1)
  })

  test('a hidden page is notified in its next frame of all changes until then', () => {
    const { store, frames, putGuests, removeGuests, nextFrame } = setup()
    const heard: number[] = []
    for (const vmid of [100, 110, 199, 300]) store.onRecord('guests', `c:${vmid}`, () => heard.push(vmid))
    for (let vmid = 100; vmid < 200; vmid++) putGuests(vmid)
    removeGuests('c:110')
    expect(frames).toHaveLength(1)
    nextFrame()
    expect(heard).toEqual([100, 110, 199])
    nextFrame()
    expect(heard).toHaveLength(3)
  })

  test('an empty patch requests no frame', () => {
    const { store, frames, removeGuests } = setup()
    store.apply({})
    removeGuests('c:1')
    store.apply({}, ['guests'])
    expect(frames).toHaveLength(0)
  })
})

describe('a record with changed fields', () => {
  const withFields = () => {
    const all = setup()
    const reader = createLazyReader()
    const guests = [100, 101, 102].map((vmid) => aGuest({ vmid, cpu: 0.1, memory: usageOf(1, 4) }))
    const index = { guests: guests.map(({ vmid }) => `c:${vmid}`) }
    let rev = 0
    const read = (frame: DeltaFrame) => {
      const change = reader.read(frame)
      if (change === 'gap') throw new Error('unexpected gap')
      all.store.apply(change.changed, change.reset ? ['guests'] : [])
    }
    read({ t: 'snapshot', s: 'live', epoch: 'e', rev, index, state: { guests } })
    const set = (fields: Record<string, { i: number[]; v: unknown[] }>) =>
      read({
        t: 'patch',
        s: 'live',
        epoch: 'e',
        from: rev,
        rev: ++rev,
        set: { guests: fields },
      } as PatchFrame)
    return { ...all, guests, set }
  }

  test('applies all pending changes when it is read, and not before', () => {
    const { store, guests, set } = withFields()
    const seen = store.version('guests')
    set({ cpu: { i: [0, 1], v: [0.2, 0.2] }, 'memory.used': { i: [1], v: [2] } })
    set({ cpu: { i: [1], v: [0.3] } })
    expect(guests.map(({ cpu }) => cpu)).toEqual([0.1, 0.1, 0.1])
    const newest: unknown[] = []
    store.eachChanged('guests', seen, 'cpu', (id, value) => newest.push([id, value]))
    store.eachChanged('guests', seen + 1, 'memory.used', (id, value) => newest.push([id, value]))
    expect(newest).toEqual([
      ['c:100', 0.2],
      ['c:101', 0.3],
      ['c:101', 0.3],
    ])
    expect(guests[1]!.cpu).toBe(0.1)
    expect(store.records('guests').get('c:101')).toMatchObject({
      cpu: 0.3,
      memory: { used: 2, free: 2, usage: 50 },
    })
    expect(guests.map(({ cpu }) => cpu)).toEqual([0.1, 0.3, 0.1])
    expect([...store.records('guests').values()].map(({ cpu }) => cpu)).toEqual([0.2, 0.3, 0.1])
  })

  test('is another object, nested objects included, where a caller holds a snapshot; elsewhere it is the same', () => {
    const { store, guests, set } = withFields()
    const kept = store.get('guests', 'c:100')!
    const { memory } = kept
    set({ cpu: { i: [0, 1], v: [0.9, 0.9] }, 'memory.used': { i: [0, 1], v: [2, 2] } })
    expect(store.records('guests').get('c:100')).not.toBe(kept)
    expect(store.get('guests', 'c:100')!.memory).not.toBe(memory)
    expect(kept).toMatchObject({ cpu: 0.1, memory: { used: 1 } })
    expect(store.records('guests').get('c:101')).toBe(guests[1])
    for (const id of ['c:100', 'c:101'])
      expect(store.get('guests', id)).toMatchObject({ cpu: 0.9, memory: { used: 2 } })
  })

  test('notifies its own listeners only', () => {
    const { store, set, nextFrame } = withFields()
    const heard: string[] = []
    for (const id of ['c:100', 'c:101', 'c:102']) store.onRecord('guests', id, () => heard.push(id))
    set({ cpu: { i: [1], v: [0.2] } })
    nextFrame()
    expect(heard).toEqual(['c:101'])
  })

  test('is listed where a changed field is relevant', () => {
    const { store, set, put } = withFields()
    const seen = store.version('guests')
    set({ cpu: { i: [0, 2], v: [0.2, 0.2] }, 'memory.used': { i: [1], v: [2] } })
    store.apply({ guests: { put: put(103), remove: new Set() } })
    expect(store.changedSince('guests', seen)).toEqual(['c:100', 'c:101', 'c:102', 'c:103'])
    expect(store.changedSince('guests', seen, (field) => field === 'memory')).toEqual(['c:101', 'c:103'])
    expect(store.changedSince('guests', seen, (field) => field === 'status')).toEqual(['c:103'])
  })
})

describe('what changed since a version', () => {
  test('lists the ids of the patches since then', () => {
    const { store, putGuests, removeGuests } = setup()
    putGuests(100, 101, 102)
    const seen = store.version('guests')
    expect(store.changedSince('guests', seen)).toEqual([])
    putGuests(101)
    expect(store.changedSince('guests', seen)).toEqual(['c:101'])
    removeGuests('c:102')
    expect(store.changedSince('guests', seen)).toEqual(['c:101', 'c:102'])
    expect(store.changedSince('guests', seen + 1)).toEqual(['c:102'])
  })

  test('is unknown beyond the log and after a snapshot', () => {
    const { store, putGuests, put } = setup()
    putGuests(100)
    const seen = store.version('guests')
    for (let round = 0; round < 5; round++) putGuests(100)
    expect(store.changedSince('guests', seen)).toBeUndefined()
    const before = store.version('guests')
    store.apply({ guests: { put: put(100), remove: new Set() } }, ['guests'])
    expect(store.changedSince('guests', before)).toBeUndefined()
    expect(store.changedSince('guests', store.version('guests'))).toEqual([])
  })
})
