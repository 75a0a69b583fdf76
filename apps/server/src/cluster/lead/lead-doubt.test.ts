import { fakeClock } from '@pulse/testkit'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createTroubles } from '../../troubles/troubles.ts'
import { watchDoubt } from './lead-doubt.ts'

test('[N 2] while neither NATS nor the database confirms a lead, its pages say that messages wait', async () => {
  const clock = fakeClock()
  const troubles = createTroubles(clock, pino({ level: 'silent' }))
  let lead: { isLeading: boolean; isConfirmed: boolean } | undefined
  const doubt = watchDoubt({ clock, lead: () => lead, troubles, onFault: () => {} })
  const shown = async () => {
    await clock.advance(3_000)
    return troubles.list().filter(({ current }) => current)
  }
  expect(await shown()).toEqual([])
  lead = { isLeading: true, isConfirmed: true }
  expect(await shown()).toEqual([])
  lead.isConfirmed = false
  expect(await shown()).toMatchObject([{ message: expect.stringContaining('wait') }])
  lead.isConfirmed = true
  expect(await shown()).toEqual([])
  lead = { isLeading: false, isConfirmed: false }
  expect(await shown()).toEqual([])
  doubt.stop()
})
