import { expect, test } from 'vitest'
import { Flapping } from './flapping.ts'
import { minuteMs, settings } from './fixtures.ts'

const at = (minutes: number) => minutes * minuteMs
const flapping = () => new Flapping(() => settings().flapping)
const note = (all: Flapping, ...minutes: number[]) => minutes.map((one) => all.note('a', at(one)))

test('changes before the window do not count', () => {
  const all = flapping()
  expect(note(all, 0, 1, 2, 3, 12.5)).toEqual(Array(5).fill(undefined))
  expect(all.untilOf('a')).toBeUndefined()
})

test('five changes within the window suppress it once, for half an hour', () => {
  const all = flapping()
  expect(note(all, 0, 1, 2, 3, 4, 5)).toEqual([...Array(4).fill(undefined), at(34), undefined])
  expect(all.untilOf('a')).toBe(at(34))
})

test('it is released when it has been calm for most of a window, and counting starts again', () => {
  const all = flapping()
  note(all, 0, 1, 2, 3, 4, 33)
  expect(all.untilOf('a')).toBe(at(41))
  expect(all.release('a', at(34))).toBe(at(41))
  expect(all.release('a', at(41))).toBeUndefined()
  expect([all.untilOf('a'), all.size]).toEqual([undefined, 0])
  expect(note(all, 42, 43, 44, 45)).toEqual(Array(4).fill(undefined))
})

test('switched off it suppresses nothing, and releases suppressed alerts', () => {
  const off = new Flapping(() => ({ ...settings().flapping, enabled: false }))
  expect(note(off, 0, 1, 2, 3, 4)).toEqual(Array(5).fill(undefined))
  off.restore({ a: { changes: [at(4)], until: at(34) } }, at(5), 0)
  expect(off.release('a', at(6))).toBeUndefined()
})
