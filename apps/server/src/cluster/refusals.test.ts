import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { limitRefusals, type Refusal } from './refusals.ts'
import { framesOf, siteSubjects } from './subjects.ts'

test('[N 4] what a site sends in vain is reported once, then once a minute with its count', async () => {
  const clock = fakeClock()
  const reported: Refusal[] = []
  const refuse = limitRefusals(clock, (refusal) => void reported.push(refusal))
  const subjectOf = (n: number) => framesOf('Berlin', `made up ${n}`)
  for (let n = 0; n < 10_000; n++) refuse(subjectOf(n), 'no fence')
  expect(reported).toEqual([{ subject: subjectOf(0), why: 'no fence', count: 1 }])
  refuse(siteSubjects('Rome').asks, 'no fence')
  refuse(siteSubjects('Berlin').asks, 'no question')
  expect(reported).toHaveLength(3)
  await clock.advance(60_000)
  refuse(subjectOf(7), 'no fence')
  expect(reported.at(-1)).toEqual({ subject: subjectOf(7), why: 'no fence', count: 10_000 })
})

test('[N 4] reasons without end are forgotten, the oldest first', () => {
  let count = 0
  const refuse = limitRefusals(fakeClock(), () => void count++)
  for (let n = 0; n <= 1_000; n++) refuse('pulse.1.calls', `${n}`)
  for (const why of ['1000', '0']) refuse('pulse.1.calls', why)
  expect(count).toBe(1_002)
})
