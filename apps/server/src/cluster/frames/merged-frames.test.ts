import type { AnyRecord } from '@pulse/contract'
import { createEstate, createSender, type Frame, type Observation } from '@pulse/domain'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MergedFrames } from './merged-frames.ts'

type Kind = 'guests' | 'storage'
const record = (n: number) => ({ source: 's', value: n }) as unknown as AnyRecord
const step = fc.record({
  kind: fc.constantFrom<Kind>('guests', 'storage'),
  ids: fc.uniqueArray(fc.integer({ min: 0, max: 9 })),
  value: fc.integer({ min: 0, max: 3 }),
  promiseMs: fc.option(fc.integer({ min: 1, max: 100 })),
  health: fc.option(fc.constantFrom('online', 'offline')),
})

/** All frames of a run: a base with both kinds, then the steps. */
function framesOf(steps: (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]): Frame[] {
  const sender = createSender('s', 'r.1', 3)
  const frames: Frame[] = []
  const offer = (said: Omit<Observation, 'source'>) => {
    sender.offer(said)
    for (let frame = sender.next(); frame; frame = sender.next()) frames.push(frame)
  }
  offer({ records: { guests: new Map(), storage: new Map([['0', record(9)]]) } as never })
  for (const { kind, ids, value, promiseMs, health } of steps)
    offer({
      records: { [kind]: new Map(ids.map((id) => [String(id), record(value + id)])) },
      ...(promiseMs !== null && { promiseMs }),
      ...(health !== null && { state: { id: 's', health } as never, overdueError: `${value}` }),
    })
  return frames
}

/** What a process has that receives these frames, and what an earlier run had left there. */
function stateAfter(frames: Iterable<Frame>) {
  const estate = createEstate([])
  const left = { source: 's', run: 'r.0', sequence: 1, begins: true, completes: true } as const
  const steps = estate.receive({
    ...left,
    records: { guests: { put: [['8', record(8)]], remove: [] } } as never,
  })
  for (const _ of steps ?? []);
  for (const frame of frames) {
    const patches = estate.receive(frame)
    expect(patches).toBeDefined()
    for (const _ of patches!);
  }
  const of = (kind: Kind | 'sources') =>
    [...estate.tables[kind]].toSorted(([a], [b]) => a.localeCompare(b)) as unknown[]
  return { guests: of('guests'), storage: of('storage'), sources: of('sources') }
}

const merge = (frames: readonly Frame[]) => {
  const merged = new MergedFrames(frames[0]!, 0)
  for (const frame of frames.slice(1)) merged.add(frame, 0)
  return [...merged.frames()]
}

describe('[N 2] frames from the beginning of a base, as one', () => {
  test('leave the state as all of them do, also while the base is not complete', () =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.nat(), (steps, cut) => {
        const frames = framesOf(steps)
        const some = frames.slice(0, 1 + (cut % frames.length))
        expect(stateAfter(merge(some))).toEqual(stateAfter(some))
      }),
    ))

  test('go on with the number of the last one', () => {
    const frames = framesOf([
      { kind: 'guests', ids: [1, 2, 3, 4, 5, 6, 7], value: 0, promiseMs: null, health: null },
      { kind: 'guests', ids: [1], value: 1, promiseMs: null, health: null },
    ])
    expect(merge(frames.slice(0, -1)).at(-1)!.sequence).toBe(frames.at(-2)!.sequence)
    expect(stateAfter([...merge(frames.slice(0, -1)), frames.at(-1)!])).toEqual(stateAfter(frames))
  })

  test('are as large as those of a sender', () => {
    const ids = Array.from({ length: 1_200 }, (_, n) => n)
    const frames = framesOf([{ kind: 'guests', ids, value: 0, promiseMs: null, health: null }])
    const sizes = merge(frames).map(({ records }) => records.guests?.put.length ?? 0)
    expect(sizes).toEqual([500, 500, 200])
  })

  test('promise what the last promise has left, and a while if nothing is left: the next frame may follow at once', () => {
    const merged = new MergedFrames(
      { source: 's', run: 'r.1', sequence: 1, begins: true, promiseMs: 60_000, records: {} },
      60_000,
    )
    expect([...merged.frames()]).toMatchObject([{ promiseMs: 60_000 }])
    const add = (sequence: number, ageMs: number) =>
      merged.add({ source: 's', run: 'r.1', sequence, records: {} }, ageMs)
    add(2, 20_000)
    expect([...merged.frames()]).toMatchObject([{ sequence: 2, begins: true, promiseMs: 20_000 }])
    add(3, -10_000)
    expect([...merged.frames()]).toMatchObject([{ sequence: 3, promiseMs: 5_000 }])
  })
})
