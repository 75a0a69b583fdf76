import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DueQueue } from './due-queue.ts'

const drain = (queue: DueQueue<string>) => {
  const keys: string[] = []
  for (let key = queue.take(); key !== undefined; key = queue.take()) keys.push(key)
  return keys
}

test('the earliest comes first; offering again moves a key; removing drops it', () => {
  const queue = new DueQueue<string>()
  queue.offer('a', 30)
  queue.offer('b', 20)
  queue.offer('c', 10)
  queue.offer('c', 40)
  queue.offer('d', 5)
  queue.remove('d')
  expect([queue.size, queue.nextAt(), queue.has('d')]).toEqual([3, 20, false])
  expect(drain(queue)).toEqual(['b', 'a', 'c'])
  expect(queue.nextAt()).toBeUndefined()
})

test('it orders any offers by their last time', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer())), (offers) => {
      const queue = new DueQueue<number>()
      for (const [key, at] of offers) queue.offer(key, at)
      const last = new Map(offers)
      const times: number[] = []
      for (let key = queue.take(); key !== undefined; key = queue.take()) times.push(last.get(key)!)
      expect(times).toEqual([...last.values()].sort((a, b) => a - b))
    }),
  )
})

test('[R18] keys removed long before they are due do not pile up', () => {
  const queue = new DueQueue<string>()
  queue.offer('stays', 1_000_000)
  for (let n = 0; n < 10_000; n++) {
    queue.offer(`comes ${n}`, 500_000 + n)
    queue.remove(`comes ${n}`)
    queue.offer('moves', 600_000 + n)
  }
  expect(queue.held).toBeLessThan(100)
  expect(drain(queue)).toEqual(['moves', 'stays'])
})
