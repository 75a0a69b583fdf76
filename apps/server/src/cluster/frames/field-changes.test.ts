import type { AnyRecord } from '@pulse/contract'
import { createSender, type Frame, type Observation, usageOf } from '@pulse/domain'
import { aGuest } from '@pulse/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SentFrame } from './field-changes.ts'
import { createFieldReader } from './field-reader.ts'
import { createFieldWriter } from './field-writer.ts'

/** As JSON carries it. */
const carried = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

type Usage = { total?: number; used?: number; free?: number; usage?: number }
const small = fc.integer({ min: 0, max: 3 })
/** Computed as collectors do, or whatever a product reports. */
const usage: fc.Arbitrary<Usage> = fc.oneof(
  fc.tuple(small, small).map(([used, total]) => usageOf(used, total)),
  fc.record({ total: small, used: small, free: small, usage: small }, { requiredKeys: [] }),
)
const record = fc
  .tuple(
    usage,
    fc.record(
      {
        cpu: small,
        memory: usage,
        labels: fc.dictionary(fc.constantFrom('a', 'a.b', '', 'used', 'usage'), small),
        list: fc.array(small, { maxLength: 2 }),
        note: fc.constant(null),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([top, rest]) => ({ ...top, ...rest }) as unknown as AnyRecord)
const records = fc
  .dictionary(fc.constantFrom('x', 'y', 'z', 'u', '__proto__'), record)
  .map((all) => ({ guests: new Map(Object.entries(all)) }) as unknown as Observation['records'])

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen)
  return value
}

/** What the frames of a sender have said so far. */
function createPicture() {
  const seen = new Map<string, AnyRecord>()
  return {
    seen,
    take({ begins, records: { guests } }: Frame) {
      if (begins) seen.clear()
      for (const [id, one] of guests?.put ?? []) seen.set(id, one)
      for (const id of guests?.remove ?? []) seen.delete(id)
    },
  }
}

describe('[N 2] changed fields', () => {
  test('make the same records at the receiver, whatever changes, and however often a base is sent', () => {
    const step = fc.tuple(records, fc.boolean())
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const sender = createSender('s', 'run', 2)
        const [write, read] = [createFieldWriter(), createFieldReader()]
        const picture = createPicture()
        /** Records as the state keeps them: nothing may change them. */
        const kept = new Map<string, AnyRecord>()
        const reported = (_kind: string, id: string) => kept.get(id)
        for (const [said, isAskedAgain] of steps) {
          sender.offer({ records: said })
          if (isAskedAgain) sender.resend(0)
          for (let frame = sender.next(); frame; frame = sender.next()) {
            const complete = read(carried(write(frame)), { reported })
            if (!complete || complete === 'gap') throw new Error('a frame is missing')
            picture.take(complete)
            for (const [id, one] of picture.seen) kept.set(id, frozen(one))
          }
          expect(picture.seen).toEqual(new Map(Object.entries(carried(Object.fromEntries(said.guests!)))))
        }
      }),
    )
  })

  test('make the same records where no one else has them yet', () => {
    fc.assert(
      fc.property(
        fc.array(records, { maxLength: 8 }),
        fc.constantFrom(Infinity, 1_000),
        (steps, mostNumbers) => {
          const sender = createSender('s', 'run', 2)
          const [write, read] = [createFieldWriter(), createFieldReader(mostNumbers)]
          const picture = createPicture()
          for (const said of steps) {
            sender.offer({ records: said })
            for (let frame = sender.next(); frame; frame = sender.next())
              picture.take(read(carried(write(frame)), { isUnseen: true }) as Frame)
            expect(picture.seen).toEqual(new Map(Object.entries(carried(Object.fromEntries(said.guests!)))))
          }
        },
      ),
    )
  })

  test.each([
    [Infinity, []],
    [1_000, ['x']],
  ])('are put again there only for a bound: of a sender with %d numbers', (mostNumbers, expected) => {
    const read = createFieldReader(mostNumbers)
    read(frame(1, [['x', guest({ cpu: 0.1 })]]), { isUnseen: true })
    const set = { cpu: { i: [0], v: [0.2] } }
    const changed = { ...frame(2, []), records: { guests: { put: [], remove: [], set } } }
    const { records } = read(changed, { isUnseen: true }) as Frame
    expect(records.guests!.put.map(([id]) => id)).toEqual(expected)
  })

  const frame = (sequence: number, put: [string, AnyRecord][]): Frame =>
    ({
      source: 's',
      run: 'run',
      sequence,
      ...(sequence === 1 && { begins: true, completes: true }),
      records: { guests: { put, remove: [] } },
    }) as Frame
  const guest = (change: Partial<Parameters<typeof aGuest>[0]>) => aGuest({ source: 's', ...change })

  test('leave the state its own record if a base repeats it, and another one that differs', () => {
    const [x, y] = [guest({ name: 'x' }), guest({ name: 'y' })]
    const kept = new Map<string, AnyRecord>([
      ['x', x],
      ['y', y],
    ])
    const again = carried(frame(1, [...kept]))
    Object.assign(again.records.guests!.put[1]![1], { name: 'z' })
    const read = createFieldReader()
    const complete = read(again, { reported: (_kind, id) => kept.get(id) }) as Frame
    const put = new Map<string, AnyRecord>(complete.records.guests!.put)
    expect(put.get('x')).toBe(x)
    expect(put.get('y')).toEqual(guest({ name: 'z' }))
    const changed = read(
      { ...frame(2, []), records: { guests: { put: [], remove: [], set: { name: { i: [0], v: ['w'] } } } } },
      {},
    ) as Frame
    expect(changed.records.guests!.put).toEqual([['x', guest({ name: 'w' })]])
    expect(x.name).toBe('x')
  })

  test('are all that is sent of a known record, without what follows from others', () => {
    const write = createFieldWriter()
    write(frame(1, [['x', guest({ cpu: 0.1, memory: usageOf(1, 4) })]]))
    expect(write(frame(2, [['x', guest({ cpu: 0.2, memory: usageOf(2, 4) })]])).records.guests).toEqual({
      put: [],
      remove: [],
      set: { cpu: { i: [0], v: [0.2] }, 'memory.used': { i: [0], v: [2] } },
    })
  })

  test('are not taken if a frame is missing, twice, or of a record that there is not', () => {
    const read = createFieldReader()
    expect(read(frame(2, []))).toBe('gap')
    expect(read(frame(1, []))).toMatchObject({ sequence: 1 })
    expect(read(frame(1, []))).toMatchObject({ sequence: 1 })
    expect(read(frame(2, []))).toMatchObject({ sequence: 2 })
    expect(read(frame(2, []))).toBe(undefined)
    expect(read(frame(4, []))).toBe('gap')
    const set = { cpu: { i: [7], v: [1] } }
    const hostile: SentFrame = { ...frame(3, []), records: { guests: { put: [], remove: [], set } } }
    expect(() => read(hostile)).toThrow('a record that there is not')
  })
})
