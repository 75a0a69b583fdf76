import type { AnyRecord, Guest, RecordKind, SourceState } from '@pulse/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createEstate, type Estate } from '../estate.ts'
import { type Claim, freshest } from '../state/claims.ts'
import type { Frame, Observation } from './observation.ts'
import { createSender, type Sender } from './sender.ts'

const sources = ['a', 'b', 'c'] as const
const kinds = ['guests', 'nodes', 'activeAlerts'] as const satisfies readonly RecordKind[]
type Said = { [K in (typeof kinds)[number]]?: ReadonlyMap<string, AnyRecord> }

/** Several sources claim the same ids, and one may report a record as stale. */
const recordOf = (source: string) =>
  fc
    .record({
      cpu: fc.integer({ min: 0, max: 2 }),
      staleSince: fc.option(fc.constant(1), { nil: undefined }),
    })
    .map((more) => ({ source, ...more }) as unknown as AnyRecord)
const pictureOf = (source: string): fc.Arbitrary<Said> =>
  fc.record(
    Object.fromEntries(
      kinds.map((kind) => [
        kind,
        fc
          .dictionary(fc.constantFrom('x', 'y', 'z', 'u', 'v'), recordOf(source))
          .map((records) => new Map(Object.entries(records))),
      ]),
    ),
    { requiredKeys: [] },
  )
const stateOf = (source: string) =>
  fc
    .record(
      {
        health: fc.constantFrom<SourceState['health'][]>('healthy', 'degraded', 'error', 'unknown'),
        lastSeen: fc.integer({ min: 1, max: 3 }),
      },
      { requiredKeys: ['health'] },
    )
    .map((more): SourceState => ({ name: source, kind: 'pve', ...more }))
const said = fc.constantFrom(...sources).chain((source) =>
  fc.record({
    source: fc.constant(source),
    records: pictureOf(source),
    state: fc.option(stateOf(source), { nil: undefined }),
  }),
)

const plain = ({ tables }: Estate) =>
  [...kinds, 'sources' as const].map((kind) => JSON.parse(JSON.stringify(Object.fromEntries(tables[kind]))))
interface Telling {
  source: string
  records: Said
  state?: SourceState | undefined
}

test('in one process a source replaces what it said of a kind; of several claims the first fresh one counts', () => {
  const pictures = fc
    .constantFrom(...sources)
    .chain((source) => fc.tuple(fc.constant(source), pictureOf(source)))
  fc.assert(
    fc.property(fc.array(pictures), (all) => {
      const estate = createEstate([], undefined, 2)
      const latest = new Map<string, Said>()
      for (const [source, records] of all) {
        estate.observe(source, records as Observation['records'])
        latest.set(source, { ...latest.get(source), ...records })
      }
      for (const kind of kinds) {
        const claims = new Map<string, Claim[]>()
        for (const source of sources)
          for (const [id, record] of latest.get(source)?.[kind] ?? [])
            claims.set(id, [...(claims.get(id) ?? []), { source, record }])
        const expected = [...claims].map(([id, of]) => [id, freshest(of)] as const)
        expect(new Map<string, AnyRecord>(estate.tables[kind])).toEqual(new Map(expected))
      }
    }),
  )
})

type Fate = 'arrives' | 'is lost' | 'comes twice' | 'comes again later'
const fate = fc.constantFrom<Fate[]>('arrives', 'arrives', 'is lost', 'comes twice', 'comes again later')

/** A channel that carries text. */
function aChannel(receive: (frame: Frame) => void) {
  const late: string[] = []
  return {
    send(frame: Frame, how: Fate) {
      const text = JSON.stringify(frame)
      const old = late.shift()
      const arriving = {
        arrives: [text],
        'is lost': [],
        'comes twice': [text, text],
        'comes again later': [text],
      }
      for (const one of [...arriving[how], ...(old === undefined ? [] : [old])])
        receive(JSON.parse(one) as Frame)
      if (how === 'comes again later') late.push(text)
    },
    heal: () => void late.splice(0),
  }
}

/** Two estates with the same input: one in this process, one behind such a channel. */
function aPair() {
  const [near, far] = [createEstate([], undefined, 2), createEstate([], undefined, 2)]
  const senders = new Map<string, Sender>()
  const latest = new Map<string, Said>()
  const missing = new Set<string>()
  let runs = 0
  const channel = aChannel((frame) => {
    const shown = far.receive(frame)
    if (!shown) missing.add(frame.source)
    for (const _patch of shown ?? []);
  })
  function flush(sender: Sender, fates: readonly Fate[]) {
    for (let frame = sender.next(), n = 0; frame; frame = sender.next(), n++)
      channel.send(frame, fates[n % fates.length]!)
  }
  return {
    near,
    far,
    heal: channel.heal,
    /** After a restart the sender gets all records of the source. */
    say({ source, state, ...one }: Telling, fates: readonly Fate[], restarts = false) {
      const known = { ...latest.get(source), ...one.records }
      latest.set(source, known)
      const records = (restarts ? known : one.records) as Observation['records']
      near.observe(source, records, state && { state })
      if (restarts || !senders.has(source)) senders.set(source, createSender(source, `run ${++runs}`, 2))
      const sender = senders.get(source)!
      sender.offer({ records, ...(state && { state }) })
      flush(sender, fates)
      if (missing.delete(source)) sender.resend(0)
      flush(sender, fates)
    },
  }
}

test('over a channel that loses and repeats, and over restarts, the tables are in the end those of one process', () => {
  const step = fc.record({
    one: said,
    fates: fc.array(fate, { minLength: 1, maxLength: 4 }),
    restarts: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  })
  const health = fc.constantFrom<SourceState['health'][]>('healthy', 'error', 'unknown')
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), health, (steps, last) => {
      const { near, far, say, heal } = aPair()
      for (const { one, fates, restarts } of steps) say(one, fates, restarts)
      heal()
      for (const source of new Set(steps.map(({ one }) => one.source)))
        for (const now of ['healthy', last] as const)
          say({ source, records: {}, state: { name: source, kind: 'pve', health: now, lastSeen: 9 } }, [
            'arrives',
          ])
      expect(plain(far)).toEqual(plain(near))
    }),
  )
})

describe('a sender', () => {
  const guests = (...ids: string[]) =>
    new Map(ids.map((id, cpu) => [id, { source: 'a', id, cpu } as unknown as Guest]))
  const framesOf = (sender: Sender) => {
    const frames: Frame[] = []
    for (let frame = sender.next(); frame; frame = sender.next()) frames.push(frame)
    return frames
  }

  test('sends a base in pieces that fit a message, then what changed, each with the next number', () => {
    const sender = createSender('a', 'r', 2)
    const state = { name: 'a', kind: 'pve', health: 'healthy' } as const
    sender.offer({ records: { guests: guests('x', 'y', 'z') }, state, promiseMs: 5 })
    sender.offer({ records: { guests: guests('x', 'q') } })
    sender.offer({ records: { guests: structuredClone(guests('x', 'q')) } })
    expect(framesOf(sender)).toMatchObject([
      {
        run: 'r',
        sequence: 1,
        begins: true,
        records: {
          guests: {
            put: [
              ['x', {}],
              ['y', {}],
            ],
          },
        },
      },
      { sequence: 2, completes: true, state, promiseMs: 5, records: { guests: { put: [['z', {}]] } } },
      { sequence: 3, records: { guests: { put: [['q', { cpu: 1 }]], remove: ['y'] } } },
      { sequence: 4, records: { guests: { put: [], remove: ['z'] } } },
    ])
  })

  test('resends everything once, however often it is asked before it does, with what is left of its promise', () => {
    const sender = createSender('a', 'r')
    sender.offer({ records: { guests: guests('x') }, promiseMs: 500 }, 1_000)
    framesOf(sender)
    sender.resend(1_200)
    sender.resend(1_300)
    expect(framesOf(sender)).toMatchObject([{ sequence: 2, begins: true, completes: true, promiseMs: 300 }])
  })

  test('has a repeated frame ignored, and is asked for a base after a gap, even in the middle of one', () => {
    const estate = createEstate()
    const receive = (frame: Frame) => {
      const steps = estate.receive(frame)
      return steps && [...steps].length
    }
    const sender = createSender('a', 'r', 1)
    sender.offer({ records: { guests: guests('x', 'y') } })
    sender.offer({ records: { guests: guests('x') } })
    const [first, second, third, change] = framesOf(sender) as [Frame, Frame, Frame, Frame]
    expect([receive(first), receive(third)]).toEqual([1, undefined])
    expect([receive(second), receive(second), receive(first)]).toEqual([1, 0, 0])
    expect([receive(third), receive(change), [...estate.tables.guests.keys()]]).toEqual([0, 1, ['x']])
    expect(receive({ ...change, run: 'another', sequence: 5 })).toBeUndefined()
  })

  test.each(['news', 'constructor', '__proto__'])(
    'of a newer version sends kinds that the receiver does not know, such as %s: the others are shown',
    (kind) => {
      const estate = createEstate()
      const records = `"${kind}":{"put":[["n",{}]],"remove":[]},"guests":{"put":[["g",{"source":"a"}]],"remove":[]}`
      const frame = `{"source":"a","run":"r","sequence":1,"begins":true,"completes":true,"records":{${records}}}`
      expect([...estate.receive(JSON.parse(frame))!]).toEqual([
        { guests: { put: new Map([['g', { source: 'a' }]]), remove: new Set() } },
      ])
    },
  )
})
