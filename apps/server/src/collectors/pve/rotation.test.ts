import { expect, test } from 'vitest'
import { Rotation } from './rotation.ts'

const minute = 60_000
const intervalMs = 30 * minute

/** The keys in the order of their reads, with times. */
function asked(rotation: Rotation<string>, keys: string[], untilMs: number, fromMs = 0) {
  const all: { key: string; at: number }[] = []
  for (let now = fromMs; now <= untilMs;) {
    const next = rotation.next('pve1', keys, intervalMs)
    if (!next) break
    now = Math.max(now, next.at)
    if (now > untilMs) break
    rotation.begin('pve1', next.key, now)
    rotation.answered(next.key)
    all.push({ key: next.key, at: now })
    now += 100
  }
  return all
}

test('what was never asked is asked at once, and then each once in that time, at even distances', () => {
  const all = asked(new Rotation(), ['a', 'b', 'c'], 62 * minute)
  expect(all.map(({ key }) => key).join('')).toBe('abcabcabc')
  expect(all.slice(0, 3).map(({ at }) => at)).toEqual([0, 100, 200])
  const [, , third, ...later] = all.map(({ at }) => at)
  expect(later.map((at, index) => at - [third!, ...later][index]!)).toEqual(Array(6).fill(10 * minute))
})

test('who comes later is asked at once', () => {
  const rotation = new Rotation<string>()
  asked(rotation, ['a', 'b'], minute)
  expect(rotation.next('pve1', ['a', 'b', 'new'], intervalMs)).toEqual({ key: 'new', at: -Infinity })
})

test('what has changed is asked before its turn, yet no more than once a minute', () => {
  const rotation = new Rotation<string>()
  asked(rotation, ['a', 'b'], minute)
  const changedAt = (key: string) => (key === 'b' ? 5 * minute : -Infinity)
  expect(rotation.next('pve1', ['a', 'b'], intervalMs, changedAt)).toEqual({ key: 'b', at: minute + 100 })
})

test('what could not be reached is tried again soon, then ever later, and no later than its turn', () => {
  const rotation = new Rotation<string>()
  const waits: number[] = []
  let now = 0
  for (let times = 0; times < 8; times++) {
    rotation.begin('pve1', 'a', now)
    rotation.missed('a', now, intervalMs)
    const { at } = rotation.next('pve1', ['a'], intervalMs)!
    waits.push((at - now) / minute)
    now = at
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30, 30])
  rotation.begin('pve1', 'a', now)
  rotation.answered('a')
  rotation.missed('a', now, intervalMs)
  expect(rotation.next('pve1', ['a'], intervalMs)!.at - now).toBe(minute)
})

test('who moves to another place takes its turn along', () => {
  const rotation = new Rotation<string>()
  asked(rotation, ['a', 'b'], minute)
  expect(rotation.next('pve2', ['a'], intervalMs)).toEqual({ key: 'a', at: 30 * minute })
})
