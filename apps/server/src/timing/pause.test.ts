import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { pause } from './pause.ts'

function given() {
  const clock = fakeClock()
  const abort = new AbortController()
  let isOver = false
  const start = () => pause(clock, 1_000, abort.signal).then(() => void (isOver = true))
  return { clock, abort, start, isOver: () => isOver }
}

test('ends after its time, and not before', async () => {
  const { clock, start, isOver } = given()
  const ended = start()
  await clock.advance(999)
  expect(isOver()).toBe(false)
  await clock.advance(1)
  await ended
})

test('ends at an abort, and leaves no timer', async () => {
  const { clock, abort, start } = given()
  const ended = start()
  abort.abort()
  await ended
  expect(clock.pending()).toBe(0)
  await start()
  expect(clock.pending()).toBe(0)
})
