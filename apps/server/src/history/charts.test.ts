import { Charts, StorageCharts } from '@pulse/contract'
import { usualKeepMs } from '@pulse/domain'
import { aGuest, aStorage, fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { ChartsPart } from '../db/history/messages.ts'
import { firstMeta } from '../state/first-meta.ts'
import { createState } from '../state/state.ts'
import { createCharts } from './charts.ts'
import type { History } from './history.ts'

const T0 = Date.UTC(2026, 0, 5)

/** A history with one point in each line. */
function given(guests: number) {
  const { tables, observe } = createState(firstMeta(0, '0', []))
  const all = Array.from({ length: guests }, (_, vmid) => aGuest({ source: 'main', vmid }))
  observe({
    source: 'main',
    records: {
      guests: new Map(all.map((guest) => [guest.id, guest])),
      storage: new Map([['main:local', aStorage({ id: 'local', total: 100 })]]),
    },
  })
  const asked: string[][] = []
  const spans: number[] = []
  const history: Pick<History, 'charts'> = {
    async charts(_kind, records, lines, { from, to }): Promise<ChartsPart> {
      spans.push(to - 1 - from)
      asked.push(records.map(({ id }) => id))
      const line = lines.map(({ name }) => `"${name}":[{"timestamp":${T0},"value":1}]`).join()
      const text = records.map(({ shown }) => `${JSON.stringify(shown)}:{${line}}`).join()
      return { json: Buffer.from(text), oldest: T0 }
    },
  }
  const charts = createCharts({
    history: history as History,
    tables,
    clock: fakeClock(T0 + 60_000),
    reachMs: () => usualKeepMs,
  })
  return { charts, asked, spans }
}

async function read(parts: AsyncIterable<string | Uint8Array>): Promise<unknown> {
  let text = ''
  for await (const part of parts) text += typeof part === 'string' ? part : Buffer.from(part).toString()
  return JSON.parse(text)
}

test('[M 2] the charts of a large estate are read a part at a time, and make one answer', async () => {
  const { charts, asked } = given(1_000)
  const answer = z.parse(Charts, await read(charts.all('24h')))
  expect(Object.keys(answer.data)).toHaveLength(1_000)
  expect(answer.stats.oldestDataTimestamp).toBe(T0)
  expect(Math.max(...asked.map(({ length }) => length))).toBeLessThanOrEqual(200)
  expect(new Set(asked.flat()).size).toBe(asked.flat().length)
})

test('[M 2] an estate without guests has charts without guests', async () => {
  const { charts } = given(0)
  expect(z.parse(Charts, await read(charts.all(undefined))).data).toEqual({})
})

test.each(['__proto__', 'constructor', '-1', '1e999', '\0'])(
  '[M 2] the range %j is one hour, and no error',
  async (range) => {
    const { charts, spans } = given(1)
    expect(z.parse(Charts, await read(charts.all(range))).timestamp).toBe(T0 + 60_000)
    expect(Object.keys(z.parse(StorageCharts, await read(charts.storages(range))))).toEqual(['local'])
    expect(new Set(spans)).toEqual(new Set([3_600_000]))
  },
)

test('[M 2] a caller who has gone gets no further part', async () => {
  const { charts, asked } = given(1_000)
  const parts = charts.all('1h')
  while (asked.length === 0) await parts.next()
  await parts.return()
  expect(asked).toHaveLength(1)
})
