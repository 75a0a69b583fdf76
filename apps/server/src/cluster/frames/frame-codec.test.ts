import type { Frame } from '@pulse/domain'
import { aGuest } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import type { Bounds } from './foreign-holdings.ts'
import { FrameJoiner } from './frame-codec.ts'
import { packed } from '../nats/parts.ts'

const joiner = (site = 'berlin', most?: Bounds) => new FrameJoiner({ site, source: 's' }, most)
const frame = (records: object, more: object = {}) =>
  JSON.stringify({ source: 's', run: 'r.1', sequence: 1, begins: true, completes: true, records, ...more })
const take = (own: FrameJoiner, text: string) => own.take({ number: 1, of: 1, bytes: packed(text) })
const guests = (count: number, more: object = {}) => ({
  guests: {
    put: Array.from({ length: count }, (_, n) => [`s:${n}`, aGuest({ source: 's', vmid: n })]),
    remove: [],
    ...more,
  },
})

describe('[N 4] of the collector of another site', () => {
  test.each([
    ['is large', frame({}, { error: 'x'.repeat(5 * 1024 * 1024) }), 'a frame has no content, or too much'],
    [
      'has millions of values',
      frame({}, { a: Array.from({ length: 1_000_000 }, () => 0) }),
      'too many values',
    ],
    ['has more records than a frame has', frame(guests(501)), 'too many records'],
    [
      'has many kinds',
      frame(Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [n, { put: [], remove: [] }]))),
      'too many kinds',
    ],
  ])('no frame is taken that %s', (_, text, why) => {
    expect(() => take(joiner(), text)).toThrow(why)
  })

  test('a usual frame is taken, and a large one of a process with the database', () => {
    expect(take(joiner(), frame(guests(500)))).toMatchObject({ sequence: 1 })
    expect(take(joiner('main'), frame(guests(501)))).toMatchObject({ sequence: 1 })
  })

  test('no frame is taken that changes more records than a frame has', () => {
    const own = joiner()
    const part = (sequence: number) => ({ sequence, begins: sequence === 1, completes: undefined })
    for (const n of [1, 2]) {
      const put = guests(500).guests.put.map(([, one]) => [`s:${n} ${(one as { vmid: number }).vmid}`, one])
      expect(take(own, frame({ guests: { put, remove: [] } }, part(n)))).toMatchObject({ sequence: n })
    }
    const set = {
      cpu: { i: [0, ...Array.from({ length: 600 }, () => 1)], v: Array.from({ length: 601 }, () => 1) },
    }
    expect(() => take(own, frame({ guests: { put: [], remove: [], set } }, part(3)))).toThrow(
      'too many records',
    )
  })
})

describe('[N 4] of a source of another site', () => {
  const most = { records: 600, bytes: 1e6 }
  const large = 'x'.repeat(100_000)
  const part = (own: FrameJoiner, run: string, sequence: number, records: object) =>
    take(own, frame(records, { run, sequence, begins: sequence === 1, completes: undefined }))

  test('nothing is taken above the bound until a base begins; one of several frames that fits is taken', () => {
    const own = joiner('berlin', most)
    const grow = (n: number) =>
      part(own, 'r.1', n, { guests: { put: [[`s:large ${n}`, { name: large }]], remove: [] } })
    for (let n = 1; n <= 9; n++) expect(grow(n)).toMatchObject({ sequence: n })
    expect(() => grow(10)).toThrow('a source has too many records')
    expect(grow(11)).toBe('gap')
    expect(part(own, 'r.2', 1, guests(500))).toMatchObject({ sequence: 1 })
    expect(part(own, 'r.2', 2, guests(10))).toMatchObject({ sequence: 2 })
  })

  test('kinds that this version does not know are left out, and do not count', () => {
    const own = joiner('berlin', most)
    const name = 'k'.repeat(1_000_000)
    for (let n = 1; n <= 20; n++) {
      const sent = { [name]: { put: [[`s:${n}`, { name: large }]], remove: [] } }
      expect((part(own, 'r.1', n, sent) as Frame).records).toEqual({})
    }
  })
})

test('[N 2] after what is no frame, nothing is taken until a base begins', () => {
  const own = joiner('main')
  const sent = (sequence: number, more: object) =>
    take(own, frame({}, { sequence, begins: undefined, ...more }))
  take(own, frame(guests(1)))
  const set = { name: { i: [7], v: ['x'] } }
  expect(() => sent(2, { records: { guests: { put: [], remove: [], set } } })).toThrow(
    'a record that there is not',
  )
  expect(sent(3, {})).toBe('gap')
  expect(sent(4, { begins: true })).toMatchObject({ sequence: 4 } satisfies Partial<Frame>)
})

test('[N 2] why a payload is no frame quotes nothing of it', () => {
  expect(() => take(joiner(), '{"secret": oops')).toThrow(/^a frame has no JSON$/)
})
