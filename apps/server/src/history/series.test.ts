import { getHistorySeries, mostSeries } from '@pulse/contract'
import { type Sample, sampledFields, usualKeepMs } from '@pulse/domain'
import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { firstMeta } from '../state/first-meta.ts'
import { createState } from '../state/state.ts'
import type { History } from './history.ts'
import { readSeries } from './series.ts'

const T0 = Date.UTC(2026, 0, 5)
const day = 86_400_000

/** A history in which everything has a sample at every tick. */
const history: Pick<History, 'samples' | 'buckets'> = {
  async samples(_field, ids, from, to) {
    const samples: Sample[] = []
    for (let at = from; at < to; at += 10_000) samples.push({ at, stored: at % 997 })
    return ids.map(() => samples)
  },
  buckets: () => expect.unreachable(),
}

test('[M 2] the largest call has as many points as an answer may have', async () => {
  const fields = sampledFields.filter(({ kind }) => kind === 'guests').map(({ name }) => name)
  const names = Array.from({ length: mostSeries.fields }, (_, n) => fields[n % fields.length]!)
  const answer = z.parse(
    getHistorySeries.reply!,
    await readSeries(
      {
        history: history as History,
        tables: createState(firstMeta(0, '0', [])).tables,
        clock: fakeClock(T0 + day),
        keepMs: () => usualKeepMs,
      },
      {
        kind: 'guests',
        ids: Array.from({ length: mostSeries.ids }, (_, n) => `main:${n}`),
        fields: names,
        from: T0 + day - 3_600_000,
        to: T0 + day,
        points: 2_000,
      },
    ),
  )
  expect(answer.series).toHaveLength(128)
  const points = answer.series.reduce((sum, one) => sum + one.points.length, 0)
  expect(points).toBeGreaterThan(10_000)
  expect(points).toBeLessThanOrEqual(20_200)
})
