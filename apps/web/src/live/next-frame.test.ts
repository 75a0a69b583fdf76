import { expect, test } from 'vitest'
import { createNextFrame } from './create-live.ts'

test('a first change runs at once, further ones once per frame; a hidden page waits', async () => {
  const frames: (() => void)[] = []
  let now = 1_000
  let seen = true
  const runs: string[] = []
  const next = createNextFrame({
    isVisible: () => seen,
    monotonic: () => now,
    requestFrame: (run) => void frames.push(run),
  })
  const notify = async (what: string) => {
    next(() => runs.push(what))
    await Promise.resolve()
    return [runs.length, frames.length]
  }
  expect(await notify('first')).toEqual([1, 0])
  now += 20
  expect(await notify('soon after')).toEqual([1, 1])
  frames.splice(0).forEach((run) => run())
  expect(runs).toEqual(['first', 'soon after'])
  now += 200
  expect(await notify('the next')).toEqual([3, 0])
  now += 200
  seen = false
  expect(await notify('unseen')).toEqual([3, 1])
})
