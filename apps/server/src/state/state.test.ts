import type { Guest, RecordKind, RecordOf } from '@pulse/contract'
import type { Derivation, Frame, StatePatch } from '@pulse/domain'
import { aGuest, aMeta, anAlert, aNode, fakeClock } from '@pulse/testkit'
import { beforeEach, describe, expect, test } from 'vitest'

import { createState, type State } from './state.ts'

let state: State
let patches: StatePatch[]

beforeEach(() => {
  state = createState(aMeta())
  patches = []
  state.subscribe((patch) => patches.push(patch))
})

const say = (source: string, records: { [K in RecordKind]?: Record<string, RecordOf<K>> }) =>
  state.observe({
    source,
    records: Object.fromEntries(Object.entries(records).map(([k, v]) => [k, new Map(Object.entries(v))])),
    state: { name: source, kind: 'pve', health: 'healthy', lastSeen: 1 },
  })

test('a source replaces what it said before, and only that', () => {
  say('one', { guests: { a: aGuest({ vmid: 1 }), b: aGuest({ vmid: 2 }) } })
  say('two', { guests: { c: aGuest({ vmid: 3 }) } })
  say('one', { guests: { b: aGuest({ vmid: 2 }) } })
  expect([...state.tables.guests.keys()].sort()).toEqual(['b', 'c'])
  expect(patches.at(-1)!.guests).toEqual({ put: new Map(), remove: new Set(['a']) })
})

test('a kind that is not named stays as it was', () => {
  say('one', { guests: { a: aGuest() }, nodes: { n: aNode() } })
  say('one', { nodes: {} })
  expect(state.tables.guests.size).toBe(1)
  expect(state.tables.nodes.size).toBe(0)
})

test('what is equal by value is no change, and keeps its identity', () => {
  say('one', { guests: { a: aGuest() } })
  const before = state.tables.guests.get('a') as Guest
  const { version } = state
  say('one', { guests: { a: aGuest() } })
  expect(state.tables.guests.get('a')).toBe(before)
  expect(state.version).toBe(version)
})

test('the health and the newest answer of a source say nothing about its records, nor about other sources', () => {
  say('one', { guests: { a: aGuest() } })
  say('two', {})
  const { meta } = state
  state.observe({
    source: 'two',
    records: {},
    state: { name: 'two', kind: 'pve', health: 'healthy', lastSeen: 2 },
  })
  expect(Object.keys(patches.at(-1)!)).toEqual(['sources'])
  expect([...patches.at(-1)!.sources!.put.keys()]).toEqual(['two'])
  expect(state.meta).toBe(meta)
})

test('a source that is never asked speaks without a state, and keeps the one it had', () => {
  state.observe({ source: 'alerts', records: { activeAlerts: new Map([['a', anAlert()]]) } })
  expect(state.tables.activeAlerts.size).toBe(1)
  expect(state.tables.sources.size).toBe(0)
  say('one', {})
  state.observe({ source: 'one', records: {} })
  expect([...state.tables.sources.keys()]).toEqual(['one'])
})

test('a forgotten source leaves nothing behind', () => {
  say('one', { guests: { a: aGuest() }, nodes: { n: aNode() } })
  state.forget('one')
  expect(state.tables.guests.size + state.tables.nodes.size).toBe(0)
  expect(state.tables.sources.size).toBe(0)
  state.forget('never heard of')
})

test('a reader that throws is reported; the others and the source that spoke go on', () => {
  const errors: unknown[] = []
  const guarded = createState(aMeta(), (error) => errors.push(error))
  const seen: number[] = []
  guarded.subscribe(() => {
    throw new Error('boom')
  })
  guarded.subscribe(() => seen.push(guarded.version))
  guarded.setMeta({ notices: [{ id: 'a', level: 'info', message: 'b' }] })
  expect(errors).toEqual([new Error('boom')])
  expect(seen).toEqual([1])
})

describe('whichever reader throws, all readers get every patch in the order in which it was made', () => {
  const boom = () => {
    throw new Error('boom')
  }
  /** The report of a fault becomes a notice in the state, as in the product. */
  function reporting(derivations?: Parameters<typeof createState>[3]) {
    const faults: string[] = []
    const own: State = createState(
      aMeta({ notices: [] }),
      (error, fault) => {
        faults.push(`${fault}: ${(error as Error).message}`)
        notice(`fault ${faults.length}`)
      },
      undefined,
      derivations,
    )
    const notice = (id: string) =>
      own.setMeta({ notices: [...own.meta.notices, { id, level: 'info', message: id }] })
    const heard: string[][] = []
    const listen = () => own.subscribe((patch) => heard.push(namesIn(patch)))
    const namesIn = ({ meta, guests }: StatePatch) => [
      ...(guests?.put.keys() ?? []),
      ...[...(meta?.put.values() ?? [])].map(({ notices }) => notices.map(({ id }) => id).join(' ')),
    ]
    return { own, notice, faults, heard, listen }
  }

  test('a reader that throws at a notice, which becomes a notice of its own', () => {
    const { own, notice, faults, heard, listen } = reporting()
    own.subscribe(boom)
    listen()
    notice('first')
    notice('second')
    expect(heard).toEqual([
      ['first'],
      ['first fault 1'],
      ['first fault 1 second'],
      ['first fault 1 second fault 2'],
    ])
    expect(faults).toEqual(['reader: boom', 'reader: boom'])
  })

  test('a reader that speaks itself', () => {
    const { own, notice, heard, listen } = reporting()
    own.subscribe(({ guests }) => guests && notice('a guest came'))
    listen()
    own.observe({ source: 'one', records: { guests: new Map([['g', aGuest()]]) } })
    expect(heard).toEqual([['g'], ['a guest came']])
  })

  test.each(['note', 'complete'] as const)('a derivation that throws when it is to %s', (when) => {
    const fine: Derivation = {
      reads: ['guests'],
      completes: ['guests'],
      note: () => {},
      complete: (_kind, _id, record) => record,
    }
    const { own, faults, heard, listen } = reporting([{ ...fine, [when]: boom }])
    listen()
    const guests = new Map(['a', 'b', 'c'].map((id, vmid) => [id, aGuest({ vmid })]))
    own.observe({ source: 'one', records: { guests } })
    expect(heard).toEqual([['a', 'b', 'c'], ['fault 1']])
    expect(own.tables.guests).toEqual(guests)
    own.observe({ source: 'one', records: { guests: new Map() } })
    expect(own.tables.guests.size).toBe(0)
    expect(faults[0]).toBe('derivation: boom')
  })

  test('one that meets what was said about it as well', () => {
    const { own, faults } = reporting([
      { reads: ['meta'], completes: [], note: boom, complete: (_kind, _id, record) => record },
    ])
    own.setMeta({ notices: [] })
    expect(faults).toEqual(['derivation: boom'])
    own.observe({ source: 'one', records: { guests: new Map([['g', aGuest()]]) } })
    expect(own.tables.guests.size).toBe(1)
  })
})

test('a large picture yields to other work, and is whole in the end; one that is forgotten meanwhile leaves nothing', async () => {
  const many = new Map(Array.from({ length: 1_600 }, (_, n) => [`g${n}`, aGuest({ vmid: n })]))
  const records = { guests: many }
  const shown = state.observeInSteps({ source: 'one', records })
  expect(patches.map(({ guests }) => guests?.put.size)).toEqual([500])
  say('two', { nodes: { n: aNode() } })
  await shown
  expect(state.tables.guests.size).toBe(1_600)
  expect(patches.map(({ guests, nodes }) => guests?.put.size ?? nodes?.put.size)).toEqual([
    500, 1, 500, 500, 100,
  ])
  const again = state.observeInSteps({ source: 'three', records: { pbs: new Map(), guests: new Map(many) } })
  state.forget('one')
  state.forget('three')
  await again
  expect(state.tables.guests.size).toBe(0)
})

test('[N 2] a frame that comes again is no word of its source', async () => {
  const clock = fakeClock()
  const own = createState(aMeta(), undefined, clock)
  const frame: Frame = {
    source: 's',
    run: 'r',
    sequence: 1,
    begins: true,
    completes: true,
    records: { guests: { put: [['s:1', aGuest({ source: 's' })]], remove: [] } },
    state: { name: 's', kind: 'pve', health: 'healthy', lastSeen: 1 },
    promiseMs: 60_000,
  }
  await own.receive(frame)
  await clock.advance(40_000)
  await own.receive(frame)
  await clock.advance(30_000)
  expect(own.tables.sources.get('s')?.health).not.toBe('healthy')
  own.stop()
})

test('sources behind an unreachable site are unknown, with all their records, until it is back', async () => {
  say('one', { nodes: { n: aNode({ connectionHealth: 'healthy' }) } })
  await state.markSiteUnreachable(['one'], 5)
  expect(state.tables.sources.get('one')).toMatchObject({ health: 'unknown', siteUnreachableSince: 5 })
  expect(state.tables.nodes.get('n')).toMatchObject({ connectionHealth: 'unknown', staleSince: 1 })
  await state.markSiteUnreachable(['one'], undefined)
  expect(state.tables.sources.get('one')).not.toHaveProperty('siteUnreachableSince')
  expect(state.tables.nodes.get('n')).not.toHaveProperty('staleSince')
})
