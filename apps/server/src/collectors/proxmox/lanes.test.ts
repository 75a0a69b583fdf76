import { expect, test } from 'vitest'
import { createLanes } from './lanes.ts'

const never = new AbortController().signal

test('no more calls are under way than there are lanes, and they go in the order of asking', async () => {
  const lanes = createLanes(2)
  const ends: (() => void)[] = []
  const begun: number[] = []
  const calls = [0, 1, 2, 3].map((n) =>
    lanes.run(never, () => {
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

test('whoever gives up waiting takes no lane, and a call that fails gives its lane back', async () => {
  const lanes = createLanes(1)
  const abort = new AbortController()
  let fail = (_error: Error) => {}
  const first = lanes.run(never, () => new Promise((_resolve, reject) => (fail = reject)))
  const second = lanes.run(abort.signal, () => expect.fail('it was given up'))
  const third = lanes.run(never, () => Promise.resolve('third'))
  abort.abort()
  await expect(second).rejects.toMatchObject({ code: 'crowded' })
  fail(new Error('no'))
  await expect(first).rejects.toThrow('no')
  expect(await third).toBe('third')
})
