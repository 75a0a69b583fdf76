import { fakeClock } from '@pulse/testkit'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createScrape } from './scrape.ts'

function aScrape(pieces: readonly string[] = ['one\n', 'two\n']) {
  const clock = fakeClock()
  let begun = 0
  let written = 0
  const scrape = createScrape(function* () {
    begun++
    for (const piece of pieces) {
      written++
      yield piece
    }
  }, clock)
  return { clock, scrape, begun: () => begun, written: () => written }
}

test('nothing is written before a request, nor cached for more than a second', async () => {
  const { clock, scrape, begun } = aScrape()
  await clock.advance(60_000)
  expect(begun()).toBe(0)
  await scrape.bytes('gzip')
  await clock.advance(1_000)
  expect([begun(), clock.pending()]).toEqual([1, 0])
})

test('requests within a second share one text; later ones get a new text', async () => {
  const { clock, scrape, begun } = aScrape()
  const [first, second] = await Promise.all([scrape.bytes('identity'), scrape.bytes('identity')])
  expect([String(first), second]).toEqual(['one\ntwo\n', first])
  expect(await scrape.bytes('identity')).toBe(first)
  expect(begun()).toBe(1)
  await clock.advance(1_000)
  expect(await scrape.bytes('identity')).not.toBe(first)
  expect(begun()).toBe(2)
})

test('a request during writing waits for that text, however long it takes', async () => {
  const { clock, scrape, begun } = aScrape()
  const first = scrape.bytes('gzip')
  clock.suspend(10_000)
  const second = scrape.bytes('gzip')
  expect(gunzipSync(await second).toString()).toBe('one\ntwo\n')
  expect(await first).toBe(await second)
  expect(begun()).toBe(1)
})

test.each(['identity', 'gzip'] as const)('as %s each step yields to the event loop', async (encoding) => {
  const { scrape, written } = aScrape(Array.from({ length: 20 }, () => 'line\n'))
  let turns = 0
  const count = () => {
    turns++
    if (written() < 20) setImmediate(count)
  }
  setImmediate(count)
  await scrape.bytes(encoding)
  expect(turns).toBeGreaterThanOrEqual(19)
})

test('a failure reaches the waiting requests, and is not cached', async () => {
  let isBroken = true
  const scrape = createScrape(function* () {
    if (isBroken) throw new Error('no table')
    yield 'fine\n'
  }, fakeClock())
  for (const encoding of ['identity', 'gzip'] as const) {
    isBroken = true
    await expect(scrape.bytes(encoding)).rejects.toThrow('no table')
    isBroken = false
    expect((await scrape.bytes(encoding)).length).toBeGreaterThan(0)
  }
})
