import { expect, test } from 'vitest'
import { createConcurrencyLimit } from './concurrency-limit.ts'

const never = new AbortController().signal

test('at most so many calls run at a time, in the order of asking', async () => {
  const limit = createConcurrencyLimit(2)
  const ends: (() => void)[] = []
  const begun: number[] = []
  const calls = [0, 1, 2, 3].map((n) =>
    limit.run(never, () => {
      begun.push(n)
      return new Promise<number>((resolve) => ends.push(() => resolve(n)))
    }),
  )
  await Promise.resolve()
  expect(begun).toEqual([0, 1])
  ends[1]!()
  expect(await calls[1]).toBe(1)
  expect(begun).toEqual([0, 1, 2])
  ends[0]!()
  await calls[0]
  expect(begun).toEqual([0, 1, 2, 3])
})

test('a caller that gives up waiting is not run, and a call that fails frees its place', async () => {
  const limit = createConcurrencyLimit(1)
  const abort = new AbortController()
  let fail = (_error: Error) => {}
  const first = limit.run(never, () => new Promise((_resolve, reject) => (fail = reject)))
  const second = limit.run(abort.signal, () => expect.fail('it was given up'))
  const third = limit.run(never, () => Promise.resolve('third'))
  abort.abort()
  await expect(second).rejects.toMatchObject({ code: 'crowded' })
  fail(new Error('no'))
  await expect(first).rejects.toThrow('no')
  expect(await third).toBe('third')
})
