import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { createLeadCheck } from './lead-check.ts'

function given() {
  const clock = fakeClock()
  const asked: PromiseWithResolvers<void>[] = []
  let isSure = false
  const check = createLeadCheck({
    clock,
    holdsLease: () => isSure,
    confirm() {
      asked.push(Promise.withResolvers())
      return asked.at(-1)!.promise
    },
  })
  return { clock, asked, check, sure: (is: boolean) => (isSure = is) }
}

test('a process that is sure to lead does not ask', async () => {
  const { asked, check, sure } = given()
  sure(true)
  await check()
  expect(asked).toHaveLength(0)
})

test('calls at the same time wait for one answer, whatever it is', async () => {
  const { asked, check } = given()
  for (const end of ['resolve', 'reject'] as const) {
    let waiting = 2
    const checks = [check(), check()].map((one) => one.then(() => waiting--))
    await Promise.resolve()
    expect(waiting).toBe(2)
    asked.at(-1)![end]()
    await Promise.all(checks)
    if (end === 'resolve') expect(asked).toHaveLength(1)
  }
  expect(asked).toHaveLength(2)
})

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
  expect(asked).toHaveLength(2)
})
