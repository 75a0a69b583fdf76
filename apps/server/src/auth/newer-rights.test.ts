import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { createNewerRights } from './newer-rights.ts'

test('[N 2] however many callers show unknown credentials, rights are read again five times a second, for all of them', async () => {
  const clock = fakeClock()
  let reads = 0
  const rights = createNewerRights({ clock, read: async () => void reads++ })
  await Promise.all(Array.from({ length: 1_000 }, rights))
  expect(reads).toBe(1)
  const shown: Promise<void>[] = []
  for (let ms = 0; ms < 1_000; ms += 10) {
    shown.push(rights(), rights())
    await clock.advance(10)
  }
  await clock.advance(200)
  await Promise.all(shown)
  expect(reads).toBe(6)
})

test('[N 2] a call with unknown credentials during a reading waits for the next one, also if the first one fails', async () => {
  const clock = fakeClock()
  const reads = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let begun = 0
  const rights = createNewerRights({ clock, read: () => reads[begun++]!.promise })
  const first = rights()
  await clock.advance(0)
  let isAnswered = false
  const second = rights().then(() => (isAnswered = true))
  await clock.advance(1_000)
  expect(begun).toBe(1)
  reads[0]!.reject(new Error('the server does not answer'))
  await first
  await clock.advance(1_000)
  expect([begun, isAnswered]).toEqual([2, false])
  reads[1]!.resolve()
  await second
})
