import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { createLeadCheck } from './lead-check.ts'

function given() {
  const clock = fakeClock()
  const asked: PromiseWithResolvers<void>[] = []
  let isInDoubt = true
  const check = createLeadCheck({
    clock,
    isInDoubt: () => isInDoubt,
    confirm() {
      asked.push(Promise.withResolvers())
      return asked.at(-1)!.promise
    },
  })
  return { clock, asked, check, clear: () => (isInDoubt = false) }
}

test('a process that is sure to lead does not ask', async () => {
  const { asked, check, clear } = given()
  clear()
  await check()
  expect(asked).toHaveLength(0)
})

test('calls at the same time wait for one answer', async () => {
  const { clock, asked, check } = given()
  let waiting = 2
  const checks = [check(), check()].map((one) => one.then(() => waiting--))
  await clock.advance(0)
  expect(waiting).toBe(2)
  asked[0]!.resolve()
  await Promise.all(checks)
  expect(asked).toHaveLength(1)
})

test('a call that comes after a question waits for the next answer: this one may be of the time before a stop', async () => {
  const { clock, asked, check } = given()
  const first = check()
  await clock.advance(0)
  let isOver = false
  const second = check().then(() => (isOver = true))
  asked[0]!.resolve()
  await first
  await clock.advance(0)
  expect(isOver).toBe(false)
  asked[1]!.resolve()
  await second
})

test('a process that is refused leads no more, and does not ask again', async () => {
  const { clock, asked, check, clear } = given()
  const refused = check()
  await clock.advance(0)
  clear()
  asked[0]!.reject(new Error('another process leads now'))
  await refused
  expect(asked).toHaveLength(1)
})

test('a connection that has ended is no answer of the database: it is asked again', async () => {
  const { clock, asked, check } = given()
  const waiting = check()
  await clock.advance(0)
  asked[0]!.reject(new Error('the connection has ended'))
  await clock.advance(100)
  asked[1]!.resolve()
  await waiting
})

test.each([1_500, 2_500, 60_000])(
  'a process that was stopped for %d ms while it waited gives the database its time all the same',
  async (stoppedMs) => {
    const { clock, asked, check } = given()
    let isOver = false
    const waiting = check().then(() => (isOver = true))
    await clock.advance(0)
    clock.suspend(stoppedMs)
    await clock.advance(1_000)
    expect(isOver).toBe(false)
    asked[0]!.reject(new Error('the session has ended'))
    await clock.advance(100)
    asked[1]!.resolve()
    await waiting
  },
)

test('a database that does not answer holds up one call for two seconds, and none of the next five', async () => {
  const { clock, asked, check } = given()
  const waiting = check()
  await clock.advance(2_000)
  await waiting
  await clock.advance(4_999)
  await check()
  expect(asked).toHaveLength(1)
  await clock.advance(1)
  void check()
  await clock.advance(0)
  expect(asked).toHaveLength(2)
})
