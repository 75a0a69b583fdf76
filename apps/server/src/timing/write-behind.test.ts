import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { createWriteBehind, retryMs, type WriteBehindOptions } from './write-behind.ts'

/** A disk that refuses writes while the test says so. */
function given(options: Partial<WriteBehindOptions<string>> = {}) {
  const clock = fakeClock()
  const written: string[][] = []
  const events: string[] = []
  const disk = { isFull: false }
  const writer = createWriteBehind<string>({
    clock,
    batch: 3,
    bound: 5,
    async write(rows) {
      if (disk.isFull) throw new Error('full')
      written.push(rows)
    },
    onRefused: (error) => events.push(`refused: ${(error as Error).message}`),
    onRecovered: (dropped) => events.push(`recovered, ${dropped} dropped`),
    onDropped: () => events.push('dropped'),
    ...options,
  })
  return { clock, written, events, disk, writer }
}

test('writes in order, in batches, and rows of one entry together', async () => {
  const { written, writer } = given()
  for (const row of ['a', 'b', 'c', 'd']) writer.put([row])
  writer.put(['e', 'f', 'g', 'h'])
  writer.put(['i'])
  await writer.flush()
  expect(written).toEqual([['a', 'b', 'c'], ['d', 'e', 'f', 'g', 'h'], ['i']])
})

test('rows with the key of an entry that waits take its place', async () => {
  const { written, writer } = given()
  writer.put(['a1'], 'a')
  writer.put(['b1'], 'b')
  writer.put(['a2'], 'a')
  writer.put(['c1'], 'c')
  writer.remove('b')
  expect([writer.waiting('a'), writer.waiting('b')]).toEqual([['a2'], undefined])
  await writer.flush()
  expect(written).toEqual([['a2', 'c1']])
  expect(writer.waiting('a')).toBeUndefined()
})

test('what replaces an entry while it is written is written after it', async () => {
  const { written, writer } = given({
    async write(rows) {
      if (written.length === 0) writer.put(['new'], 'a')
      written.push(rows)
    },
  })
  writer.put(['old'], 'a')
  await writer.flush()
  expect(written).toEqual([['old']])
  await writer.flush()
  expect(written).toEqual([['old'], ['new']])
})

test('what the disk refuses is retried in its order, and reported once', async () => {
  const { clock, written, events, disk, writer } = given()
  disk.isFull = true
  writer.put(['a'])
  await writer.flush()
  writer.put(['b'])
  await writer.flush()
  await clock.advance(3 * retryMs)
  expect(writer.refusal()).toEqual(new Error('full'))
  disk.isFull = false
  await clock.advance(retryMs)
  expect(written).toEqual([['a', 'b']])
  expect(events).toEqual(['refused: full', 'recovered, 0 dropped'])
  expect([writer.refusal(), clock.pending()]).toEqual([undefined, 0])
})

test('while the disk refuses, the oldest entries beyond the bound are dropped and counted', async () => {
  const { clock, written, events, disk, writer } = given({ mayDrop: (row) => row !== 'keep' })
  disk.isFull = true
  writer.put(['keep'])
  for (let n = 0; n < 7; n++) writer.put(() => [`${n}`])
  await writer.flush()
  disk.isFull = false
  await clock.advance(retryMs)
  expect(written.flat()).toEqual(['keep', '2', '3', '4', '5', '6'])
  expect(events).toEqual(['refused: full', 'dropped', 'recovered, 2 dropped'])
})

test('rows are made when they are written, and only once', async () => {
  const { disk, writer, written } = given()
  let made = 0
  writer.put(() => [`${++made}`])
  expect(made).toBe(0)
  disk.isFull = true
  await writer.flush()
  disk.isFull = false
  await writer.flush()
  expect(written).toEqual([['1']])
})

test('an entry whose rows cannot be made is reported, and blocks no other', async () => {
  const { written, events, writer } = given()
  writer.put(() => {
    throw new Error('defect')
  })
  writer.put(['a'])
  await writer.flush()
  await writer.flush()
  expect(written).toEqual([['a']])
  expect(events).toEqual(['refused: defect'])
})

test('after its end nothing is retried, also what is refused later', async () => {
  const { clock, disk, writer } = given()
  disk.isFull = true
  writer.put(['a'])
  await writer.flush()
  writer.stop()
  writer.put(['b'])
  await writer.flush()
  expect(clock.pending()).toBe(0)
})
