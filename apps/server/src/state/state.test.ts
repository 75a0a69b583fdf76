import type { Guest, RecordKind, RecordOf } from '@pulse/contract'
import type { StatePatch } from '@pulse/domain'
import { aGuest, aMeta, anAlert, aNode } from '@pulse/testkit'
import { beforeEach, expect, test } from 'vitest'

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
