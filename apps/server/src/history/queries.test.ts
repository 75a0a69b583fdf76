import { alertDefaults } from '@pulse/contract'
import type { BackTestRequest, PlayedThing } from '@pulse/domain'
import { aGuest, fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { type Ask, type Asked, createQueries } from './queries.ts'

const thing = (number: number): PlayedThing => ({
  field: 1,
  number,
  key: `main:${number}:root`,
  owner: `main:${number}`,
  record: aGuest({ name: `guest-${number}` }),
})
const request = (things: number): BackTestRequest => ({
  kind: 'guests',
  metric: 'disk',
  config: alertDefaults,
  things: Array.from({ length: things }, (_, n) => thing(n)),
  neighbours: new Map(),
  from: 0,
  to: 3_600_000,
  rawFrom: 0,
})

test('[M 3.7] the things of a back-test go to the thread as texts that both have: to copy the objects of an estate would block', async () => {
  const sent: Parameters<Ask>[0][] = []
  const ask = (async (what: Parameters<Ask>[0]) => {
    sent.push(what)
    return { do: 'backTest', played: undefined }
  }) as Ask
  const { backTest } = createQueries({ ask, numberOf: async () => 0, clock: fakeClock(0) })
  await backTest('ann', request(1_200))
  expect(sent).toMatchObject([{ do: 'backTest', user: 'ann', request: { metric: 'disk' } }])
  const { things } = (sent[0] as Extract<Asked, { do: 'backTest' }>).request
  expect(things.map(({ buffer }) => buffer instanceof SharedArrayBuffer)).toEqual([true, true, true])
})

test('[M 3.7] the later back-test of a user replaces the one before, also if that is large and prepared later', async () => {
  const sent: number[] = []
  const ask = (async (what: Extract<Asked, { do: 'backTest' }>) => {
    sent.push(what.request.things.length)
    return { do: 'backTest', played: { counted: true } }
  }) as unknown as Ask
  const { backTest } = createQueries({ ask, numberOf: async () => 0, clock: fakeClock(0) })
  const answers = await Promise.all([
    backTest('ann', request(2_000)),
    backTest('bob', request(1_200)),
    backTest('ann', request(1)),
  ])
  expect(answers.map((answer) => answer !== undefined)).toEqual([false, true, true])
  expect(sent).toEqual([1, 3])
})
