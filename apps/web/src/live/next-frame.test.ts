import { expect, test } from 'vitest'
import { createNextFrame } from './create-live.ts'

test('a first change runs at once, further ones once per frame; a hidden page waits', async () => {
  const frames: (() => void)[] = []
  let now = 1_000
  let seen = true
  const told: string[] = []
  const next = createNextFrame({
    isVisible: () => seen,
    monotonic: () => now,
    requestFrame: (run) => void frames.push(run),
  })
  const tell = async (what: string) => {
    next(() => told.push(what))
    await Promise.resolve()
    return [told.length, frames.length]
  }
  expect(await tell('first')).toEqual([1, 0])
  now += 20
  expect(await tell('soon after')).toEqual([1, 1])
  frames.splice(0).forEach((run) => run())
  expect(told).toEqual(['first', 'soon after'])
  now += 200
  expect(await tell('the next')).toEqual([3, 0])
  now += 200
  seen = false
  expect(await tell('unseen')).toEqual([3, 1])
})
