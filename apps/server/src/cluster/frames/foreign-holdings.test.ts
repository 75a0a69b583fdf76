import type { Frame } from '@pulse/domain'
import { aGuest } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { createBaseBound, createForeignHoldings, createHoldings } from './foreign-holdings.ts'

const most = { records: 4, bytes: 1e6 }
let sent = 0
const changes = (put: readonly string[], remove: readonly string[] = [], name = '', kind = 'guests') =>
  ({
    source: 's',
    run: 'r',
    sequence: ++sent,
    records: { [kind]: { put: put.map((id) => [id, aGuest({ name })]), remove } },
  }) as unknown as Frame
const base = (ids: readonly string[], completes: boolean, kind = 'guests'): Frame => ({
  ...changes(ids, [], '', kind),
  begins: true,
  ...(completes && { completes }),
})

describe('[N 4] what the state has of a source', () => {
  test('is bounded, whichever bases and changes brought it', () => {
    const hold = createHoldings(most)
    const frames = [
      base(['a', 'b', 'c', 'd'], true),
      changes([], ['d']),
      changes(['e']),
      base([], true),
      base(['w', 'x', 'y', 'z'], true),
    ]
    expect(frames.map(hold)).toEqual(frames.map(() => true))
    expect(hold(changes(['v']))).toBe(false)
  })

  test('adds up from bases that never become complete', () => {
    const hold = createHoldings(most)
    expect(hold(base(['a', 'b'], false))).toBe(true)
    expect(hold(base(['a', 'b'], false))).toBe(true)
    expect(hold(base(['c', 'd'], false))).toBe(true)
    expect(hold(base(['e'], false))).toBe(false)
  })

  test('includes kinds that a base does not name', () => {
    const hold = createHoldings(most)
    hold(base(['a', 'b', 'c'], true))
    expect(hold(base(['a', 'b', 'c'], true, 'nodes'))).toBe(false)
  })

  test('is too much if its records become large', () => {
    const hold = createHoldings(most)
    hold(base(['a', 'b'], true))
    expect(hold(changes(['a'], [], 'x'.repeat(900_000)))).toBe(true)
    expect(hold(changes(['b'], [], 'x'.repeat(900_000)))).toBe(false)
  })

  test('does not become less by a frame that the state has already, such as an empty base', () => {
    const hold = createHoldings(most)
    const old = base([], true)
    hold(base(['a', 'b', 'c', 'd'], true))
    hold(old)
    expect(hold(base(['e'], false))).toBe(false)
  })

  test('is not too much if other records come and go for ever', () => {
    const hold = createHoldings(most)
    hold(base([], false))
    for (let n = 0; n < 10_000; n++) expect(hold(changes([`${n}`], [`${n - 1}`]))).toBe(true)
  })

  test('is each source’s own, and nothing after the source was forgotten', () => {
    const holdings = createForeignHoldings(most)
    const take = (source: string, frame: Frame) => holdings.take({ ...frame, source })
    for (const source of ['s', 't']) expect(take(source, base(['a', 'b', 'c', 'd'], true))).toBe(true)
    expect(take('s', base(['e'], false))).toBe(false)
    holdings.forget('s')
    expect(take('s', base(['e'], false))).toBe(true)
    expect(take('t', base(['e'], false))).toBe(false)
  })
})

describe('[N 4] of a source whose records are too many since its base began', () => {
  const tooMany = 'a source has too many records'

  test('nothing is kept, and no frame taken until a base begins', () => {
    const bound = createBaseBound(most)
    bound.take(base(['a', 'b'], false))
    bound.take(changes(['c', 'd']))
    expect(() => bound.take(changes(['e']))).toThrow(tooMany)
    expect(() => bound.take(changes([], ['a', 'b', 'c']))).toThrow(tooMany)
    bound.take(base(['w', 'x'], false))
    bound.take(changes(['y', 'z']))
    expect(bound.records).toBe(4)
  })

  test('no more is known than the bound, however many more come', () => {
    const bound = createBaseBound(most)
    bound.take(base([], false))
    let largest = 0
    for (let n = 0; n < 10_000; n++) {
      try {
        bound.take(changes([`${n}`]))
      } catch {
        // refused
      }
      largest = Math.max(largest, bound.records)
    }
    expect(largest).toBe(most.records)
  })
})
