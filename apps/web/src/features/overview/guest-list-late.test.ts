import type { DeltaFrame, Guest, Node } from '@pulse/contract'
import {
  atOnce,
  compileGuestSearch,
  createLazyReader,
  createWireWriter,
  diffRecords,
  type StatePatch,
  usageOf,
} from '@pulse/domain'
import { aGuest, aNode } from '@pulse/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLiveStore } from '../../live/store.ts'
import { countedGuest, tallyGuests } from './guest-tally.ts'
import { createGuestListSelector, type GuestQuery } from './guest-list.ts'

const ids = Array.from({ length: 8 }, (_, n) => String(n))
const nodeNames = ['pve1', 'pve2']

const aMemory = fc
  .record({ used: fc.constantFrom(1, 2, 4), total: fc.constantFrom(4, 8) })
  .map(({ used, total }) => usageOf(used, total))
const aKnown = fc.record(
  {
    cpu: fc.constantFrom(0.1, 0.5, 0.97),
    memory: aMemory,
    disk: fc.constantFrom({ total: 9 }, usageOf(1, 9), usageOf(9, 9), usageOf(0, 0)),
    status: fc.constantFrom('running', 'running', 'running', 'stopped', 'io-error'),
    name: fc.constantFrom('a', 'b'),
    node: fc.constantFrom(...nodeNames),
    staleSince: fc.constant(5),
    startedAt: fc.constantFrom(1_000, 2_000),
  },
  { requiredKeys: ['status'] },
)
/** By id; null deletes the guest. */
const aStep = fc.record({
  guests: fc.dictionary(fc.constantFrom(...ids), fc.option(aKnown, { freq: 6 }), { maxKeys: 4 }),
  nodes: fc.dictionary(fc.constantFrom(...nodeNames), fc.option(fc.constantFrom('online', 'offline'))),
  snapshot: fc.nat(8).map((n) => n === 0),
  looked: fc.boolean(),
  held: fc.boolean(),
})
const aQuery: fc.Arbitrary<GuestQuery> = fc.record({
  sort: fc.record({
    key: fc.constantFrom('name', 'type', 'vmid', 'uptime', 'cpu', 'memory', 'disk'),
    direction: fc.constantFrom('asc', 'desc'),
  }),
  focus: fc.constantFrom(undefined, undefined, 'unreachable', 'attention'),
  grouping: fc.constantFrom('grouped', 'flat'),
  status: fc.constantFrom('all', 'running', 'stopped'),
  type: fc.constant('all'),
  matches: fc.constantFrom(undefined, undefined, compileGuestSearch('cpu>30')),
  nowMs: fc.constant(10_000),
  node: fc.constant(undefined),
})

type Known<T> = Record<string, T | null>

function changed<T>(
  from: ReadonlyMap<string, T>,
  known: Known<object>,
  made: (id: string, one: object) => T,
) {
  const next = new Map(from)
  for (const [id, one] of Object.entries(known)) {
    if (one) next.set(id, made(id, one))
    else next.delete(id)
  }
  return next
}

function toGuest(id: string, known: object): Guest {
  const { cpu: _cpu, memory: _memory, disk: _disk, ...bare } = aGuest({ ...known, vmid: 100 + Number(id) })
  return { ...bare, ...known }
}

/** A store fed by wire frames, not read yet. */
function given() {
  const store = createLiveStore((run) => run())
  const writer = createWireWriter('live', 'e')
  const reader = createLazyReader()
  let guests: ReadonlyMap<string, Guest> = new Map()
  let nodes: ReadonlyMap<string, Node> = new Map()
  const apply = (json: string) => {
    const change = reader.read(JSON.parse(json) as DeltaFrame)
    if (change === 'gap') throw new Error('unexpected gap')
    store.apply(change.changed, change.reset ? ['guests', 'nodes'] : [])
  }
  const snapshot = () => apply(atOnce(writer.snapshot()).join(''))
  snapshot()
  return {
    store,
    snapshot,
    change(guestsKnown: Known<object>, nodesKnown: Known<object>) {
      const before = { guests, nodes }
      guests = changed(guests, guestsKnown, toGuest)
      nodes = changed(nodes, nodesKnown, (node, one) => aNode({ node, ...one }))
      const patch = { guests: diffRecords(before.guests, guests), nodes: diffRecords(before.nodes, nodes) }
      const frame = atOnce(writer.advance(patch as StatePatch))
      if (frame) apply(JSON.stringify(frame))
    },
  }
}

test('list and counts are those of a newly opened page, whatever came and whenever it was looked at', () => {
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 12 }), aQuery, (steps, query) => {
      const { store, snapshot, change } = given()
      const select = createGuestListSelector(query)
      for (const { guests, nodes, looked, held, ...step } of steps) {
        const states = Object.entries(nodes).map(([node, status]) => [node, status && { status }])
        change(guests, Object.fromEntries(states) as Known<object>)
        if (step.snapshot) snapshot()
        if (!looked) continue
        const list = select(store, held)
        const tally = tallyGuests(store)
        const other = { ...store } // a new identity, so a store without readers
        const fresh = createGuestListSelector(query)(other)
        if (list.orderPending)
          expect({ ...list, orderPending: false, rows: list.rows.toSorted() }).toEqual({
            ...fresh,
            rows: fresh.rows.toSorted(),
          })
        else expect(list).toEqual(fresh)
        expect(list.orderPending && !held).toBe(false)
        expect(tally).toEqual(tallyGuests(other))
        for (const id of ids) expect(countedGuest(store, id)).toEqual(countedGuest(other, id))
      }
    }),
  )
})
