import { aMailGateway } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { hourMs, settings, T0 } from '../alerts/fixtures.ts'
import { active, aStore, play, tickMs } from './fixtures-back-test.ts'
import { playedRecord } from './played-records.ts'
import type { PlayedThing } from './played-thing.ts'

const metric = 'quarantineGrowthWarnPct'
const record = playedRecord('pmg', metric, aMailGateway({ name: 'mail' })) as never
const boxes = ['quarantineSpamWarn', 'quarantineVirusWarn'] as const
const things = boxes.map((own, n): PlayedThing => ({ field: n, number: 7, key: 'mail', metric: own, record }))
/** Both boxes hold the same number, and then three times as much. */
const store = aStore('count')
for (let n = 0; n < (6 * hourMs) / tickMs; n++) {
  const held = n * tickMs < 4 * hourMs ? 300 : 900
  store.append(
    T0 + n * tickMs,
    boxes.map((_, field) => ({ field, things: [7], values: [held] })),
  )
}
for (const _ of store.compact(T0 + 6 * hourMs));
const playWith = (change: Partial<typeof active.pmgDefaults>) =>
  play(store, {
    kind: 'pmg',
    metric,
    things,
    to: T0 + 6 * hourMs,
    config: settings({
      activationState: 'active',
      pmgDefaults: { ...active.pmgDefaults, quarantineSpamWarn: 0, quarantineSpamCritical: 0, ...change },
    }),
  })

test('[M 3.7] growth of spam and of viruses are two alerts of one gateway', () => {
  const off = { quarantineVirusWarn: 0, quarantineVirusCritical: 0 }
  const { total, things: gateways, top } = playWith(off)
  expect([total, gateways]).toEqual([2, 1])
  expect(top).toMatchObject([{ id: 'mail', name: 'mail', count: 2 }])
})

test('[M 3.7] without a limit of growth nothing is played, whatever the limits of size', () => {
  const off = { quarantineGrowthWarnPct: 0, quarantineGrowthCritPct: 0, quarantineVirusWarn: 1 }
  expect(playWith(off)).toMatchObject({ isOff: true, total: 0 })
  expect(playWith({ ...off, quarantineGrowthCritPct: 50 })).toMatchObject({ isOff: false })
})
