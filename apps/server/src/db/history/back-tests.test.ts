import { alertDefaults } from '@pulse/contract'
import { HistoryStore, type TileStorage } from '@pulse/domain'
import { precisionOf } from '@pulse/domain'
import { expect, test } from 'vitest'
import { createBackTests } from './back-tests.ts'
import type { SentBackTest } from './sent-back-test.ts'

const emptyStorage: TileStorage = {
  putSegment: () => 1,
  segments: () => [],
  putTile: () => undefined,
  tile: () => undefined,
  groups: () => [],
  fields: () => [],
  finish: () => undefined,
  blocks: () => [],
  dirtyDays: () => [],
  drop: () => true,
}
const store = new HistoryStore({ storage: emptyStorage, precision: () => precisionOf.ratio })
const request = (): SentBackTest => ({
  kind: 'guests',
  metric: 'cpu',
  config: alertDefaults,
  things: [],
  neighbours: new Map(),
  from: 0,
  to: 3_600_000,
  rawFrom: 0,
})

test('[M 3.7] the newest back-test of a user ends the one before; those of others go on', async () => {
  const { run } = createBackTests()
  const answers = await Promise.all([
    run('ann', request(), store),
    run('ben', request(), store),
    run('ann', request(), store),
  ])
  expect(answers.map((answer) => answer?.total)).toEqual([undefined, 0, 0])
})

test('[M 3.7] one that is replaced while it waits ends at once', async () => {
  const { run } = createBackTests()
  const ended: string[] = []
  const noted = (name: string, answer: Promise<unknown>) => answer.then(() => void ended.push(name))
  await Promise.all([
    noted('ben', run('ben', request(), store)),
    noted('ann, first', run('ann', request(), store)),
    noted('ann, second', run('ann', request(), store)),
  ])
  expect(ended).toEqual(['ann, first', 'ben', 'ann, second'])
})

test('[M 3.7] one that fails does not stop the next', async () => {
  const { run } = createBackTests()
  const broken = { ...request(), metric: 'nothing' as never }
  const answers = await Promise.allSettled([run('ann', broken, store), run('ben', request(), store)])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})
