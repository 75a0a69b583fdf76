import { expect, test } from 'vitest'
import { inSlices } from './slices.ts'

function* countTo(steps: number): Generator<void, number> {
  for (let n = 0; n < steps; n++) yield
  return steps
}

test('[M 4] between two steps of some work the thread answers other requests', async () => {
  let answered = 0
  let isOver = false
  const answer = () => {
    answered++
    if (!isOver) setImmediate(answer)
  }
  setImmediate(answer)
  expect(await inSlices(countTo(100), () => false)).toBe(100)
  isOver = true
  expect(answered).toBeGreaterThanOrEqual(99)
})

test('[M 4] work on a file that was replaced ends without a result', async () => {
  let steps = 0
  const isEnded = () => ++steps > 10
  expect(await inSlices(countTo(100), isEnded)).toBeUndefined()
  expect(steps).toBe(11)
})
