import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { seekLeadership } from './leadership.ts'

test('a lead that the database could not confirm is tried again', async () => {
  const clock = fakeClock()
  const faults: unknown[] = []
  let held = 0
  let isUp = false
  let leads = 0
  const leadership = seekLeadership({
    leases: {
      async claim() {
        held++
        return { fence: String(held), isHeld: () => true, release: async () => void held-- }
      },
    },
    database: {
      confirmedAt: -Infinity,
      begin: async () => {
        if (!isUp) throw new Error('the server does not answer')
        return true
      },
    } as Parameters<typeof seekLeadership>[0]['database'],
    clock,
    onLead: async () => void leads++,
    onDeposed: () => {},
    onFault: (error) => void faults.push(error),
  })
  await clock.advance(2_000)
  expect([faults.length, held, leads]).toEqual([1, 0, 0])
  isUp = true
  await clock.advance(1_000)
  expect([held, leads, leadership.isLeading]).toEqual([1, 1, true])
  await leadership.stop()
})
