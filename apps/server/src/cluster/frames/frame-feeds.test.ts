import { expect, test } from 'vitest'
import { Feeds } from './frame-feeds.ts'

const place = { site: 'main', source: 's' }

test('[N 2] of made-up sources, only so many are known, and those with news stay', () => {
  const feeds = new Feeds(3)
  const first = feeds.of('a', place)
  for (const subject of ['b', 'c']) feeds.of(subject, place)
  expect(feeds.of('a', place)).toBe(first)
  feeds.of('d', place)
  expect(feeds.size).toBe(3)
  expect(feeds.of('a', place)).toBe(first)
})

test('[N 2] parts of frames that never become complete are dropped above 128 MB', () => {
  const feeds = new Feeds()
  const bytes = new Uint8Array(7 * 1024 * 1024)
  let last = 0
  for (let n = 0; n < 100; n++) {
    const feed = feeds.of(`${n}`, place)
    feeds.join(feed, { number: 1, of: 2, bytes })
    last = feed.joiner.heldBytes
  }
  const held = Array.from({ length: 100 }, (_, n) => feeds.of(`${n}`, place).joiner.heldBytes)
  expect(held.reduce((sum, own) => sum + own)).toBeLessThanOrEqual(128 * 1024 * 1024)
  expect(last).toBe(bytes.length)
})
