import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { limitRefusals, type Refusal } from './refusals.ts'
import { framesOf, siteSubjects } from './nats/subjects.ts'

const given = () => {
  const clock = fakeClock()
  const reported: Refusal[] = []
  return { clock, reported, refuse: limitRefusals(clock, (refusal) => void reported.push(refusal)) }
}

test('[N 4] what a site sends in vain is reported once, then once a minute with its count', async () => {
  const { clock, reported, refuse } = given()
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

test('[N 4] of a site, 20 reasons in a minute are reported each, and the others as one', async () => {
  const { clock, reported, refuse } = given()
  const berlin = siteSubjects('Berlin').asks
  for (let n = 0; n < 10_000; n++) refuse(berlin, `made up ${n}`)
  expect(reported).toHaveLength(21)
  expect(reported.at(-1)).toEqual({
    subject: berlin,
    why: 'other reasons, the last one: made up 20',
    count: 1,
  })
  refuse(siteSubjects('Rome').asks, 'no fence')
  expect(reported.at(-1)).toMatchObject({ why: 'no fence', count: 1 })
  await clock.advance(60_000)
  refuse(berlin, 'no fence')
  expect(reported.at(-1)).toEqual({ subject: berlin, why: 'no fence', count: 1 })
  for (let n = 0; n < 20; n++) refuse(berlin, `later ${n}`)
  expect(reported.at(-1)).toMatchObject({ why: 'other reasons, the last one: later 19', count: 9_980 })
})

test('[N 4] a text that a site has sent is cut, and so is a subject', () => {
  const { reported, refuse } = given()
  refuse(framesOf('Berlin', 'x'.repeat(1_000)), 'x'.repeat(1_000_000))
  expect(reported.map(({ subject, why }) => [subject.length, why.length])).toEqual([[200, 200]])
  refuse(framesOf('Berlin', 'x'), `${'x'.repeat(1_000_000)} and another end`)
  expect(reported).toHaveLength(1)
})

test('[N 4] sites without end are forgotten, the oldest first', () => {
  const { reported, refuse } = given()
  for (let n = 0; n <= 1_000; n++) refuse(framesOf(`site ${n}`, 's'), 'no fence')
  for (const n of [1_000, 0]) refuse(framesOf(`site ${n}`, 's'), 'no fence')
  expect(reported).toHaveLength(1_002)
})
