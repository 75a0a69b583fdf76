import type { Guest } from '@pulse/contract'
import { aGuest, countSteps } from '@pulse/testkit'
import { afterAll, describe, expect, test } from 'vitest'
import { compileGuestSearch } from './guest-search.ts'

/**
 * maximum steps per guest: for a typical search, and for one of ten kilobytes (one test per term would take
 * thousands)
 */
const MOST_SIMPLE = 10
const MOST_HOSTILE = 1_000
/** maximum steps per character of the search text, once */
const MOST_READING = 30
const GUESTS = 5_000

const at = { nowMs: Date.UTC(2026, 0, 1), running: true }
const counter = await countSteps(/domain\/src\/search\/(?!.*\.test\.)/)
afterAll(counter.stop)

describe('cost', () => {
  const estate = (count: number): Guest[] =>
    Array.from({ length: count }, (_, i) => ({
      ...aGuest(),
      vmid: 100 + i,
      name: `guest-${i}-of-the-estate`,
    }))

  const stepsOf = (text: string, guests: readonly Guest[]) =>
    counter.steps(() => {
      const predicate = compileGuestSearch(text)
      for (const guest of guests) predicate(guest, at)
    })

  test('a search that people type costs a few steps for a guest, and no more for the ten thousandth', async () => {
    for (const text of ['cpu>80, memory<50, tags:prod, guest-99', 'cpu>80 AND estate']) {
      const [some, many] = [await stepsOf(text, estate(1_000)), await stepsOf(text, estate(10_000))]
      expect(some).toBeGreaterThan(1_000)
      expect(many / 10_000).toBeLessThan(MOST_SIMPLE)
      expect(many / some).toBeLessThan(11)
    }
  })

  const KB10 = 10_240
  const fill = (piece: (i: number) => string, joint: string): string => {
    let text = ''
    for (let i = 0; text.length < KB10; i++) text += piece(i) + joint
    return text.slice(0, KB10)
  }
  const name = 'guest-1-of-the-estate'
  const substrings = Array.from({ length: name.length }, (_, from) =>
    Array.from({ length: name.length - from }, (_, n) => name.slice(from, from + n + 1)),
  ).flat()
  const sub = (i: number) => substrings[i % substrings.length]

  test.each([
    ['one letter', 'a'.repeat(KB10)],
    ['commas', ','.repeat(KB10)],
    ['colons', ':'.repeat(KB10)],
    ['comparison signs', '>='.repeat(KB10 / 2)],
    ['blanks', ' '.repeat(KB10)],
    ['many distinct words', fill((i) => i.toString(36).padStart(2, '~'), ',')],
    ['many words that almost match', fill((i) => `guest-${i}~`, ',')],
    ['operators only', fill(() => 'and or', ' ')],
    ['many OR terms', fill((i) => `x${i}`, ' OR ')],
    ['many AND terms that all match', fill((i) => `${sub(i)}`, ' and ')],
    ['many text filters that all match', fill((i) => `name:${sub(i)}`, ',')],
    ['many comparisons that all hold', fill((i) => `uptime>${i}`, ',')],
    ['many OR comparisons that all fail', fill((i) => `cpu>${900 + i}`, ' OR ')],
    ['many unknown fields', fill((i) => `${i.toString(36).replaceAll(/\d/g, 'x')}f:1`, ' OR ')],
    ['digits', `cpu>${'1'.repeat(KB10 - 4)}`],
    ['digits and dots', `cpu>${'1.'.repeat(KB10 / 2)}`],
  ])('[S15] 10 KB of %s cost a guest what a line of text does, and are read once', async (_name, text) => {
    const read = await stepsOf(text, [])
    const over = await stepsOf(text, estate(GUESTS))
    expect(read / KB10).toBeLessThan(MOST_READING)
    expect((over - read) / GUESTS).toBeLessThan(MOST_HOSTILE)
  })
})
