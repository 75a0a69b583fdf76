import { trendPoints } from '@pulse/contract'
import { noLevel, type SampledField, type Tables } from '@pulse/domain'
import { fakeClock } from '@pulse/testkit'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { RawReply } from '../http/route.ts'
import { trendsRoute, writeTrend } from './trends.ts'

const T0 = Date.UTC(2026, 0, 5, 12, 0, 30)
const { minutes, levels: alphabet, none } = trendPoints

function given(ids: readonly string[]) {
  const clock = fakeClock(T0)
  const guests = new Map(ids.map((id) => [id, {}]))
  const figures = { ticks: 1, lostTicks: 0, owed: 0, held: 0 }
  const read: { name: string; ids: readonly string[]; from: number }[] = []
  const trouble: { error?: Error } = {}
  const route = trendsRoute({
    tables: { guests } as unknown as Tables,
    clock,
    history: {
      figures: () => figures,
      async trends({ name }: SampledField, asked: readonly string[], from: number) {
        read.push({ name, ids: asked, from })
        if (trouble.error) throw trouble.error
        return {
          ids: [...asked],
          levels: new Uint8Array(asked.length * minutes).fill(noLevel).fill(3, 0, 1),
          tops: new Float64Array(asked.length).fill(1),
        }
      },
    },
  })
  const ask = (fields: string, encoding = 'gzip') =>
    route.handle({
      query: { kind: 'guests', fields },
      caller: { headers: { 'accept-encoding': encoding } },
    } as never)
  const answer = async (fields: string) =>
    JSON.parse(gunzipSync(((await ask(fields)) as RawReply).body).toString()) as {
      from: number
      ids: string[]
      fields: Record<string, { points: string }>
    }
  return { ask, answer, clock, guests, figures, read, trouble }
}

test('[M 3.2] the answer has sixty characters per thing, and ends with the current minute', async () => {
  const { answer } = given(['a:1', 'a:2'])
  const { from, ids, fields } = await answer('cpu,memory')
  expect([from, ids]).toEqual([Date.UTC(2026, 0, 5, 11, 1), ['a:1', 'a:2']])
  expect(fields['memory']!.points).toBe(`D${none.repeat(2 * minutes - 1)}`)
  expect(Object.keys(fields)).toEqual(['cpu', 'memory'])
})

test('a client that takes no compressed answer gets the same', async () => {
  const { ask, answer } = given(['a:1'])
  expect(await ask('cpu', 'identity')).toEqual(await answer('cpu'))
})

test('[M 3.2] a figure is read once per tick and minute, for all who look at it', async () => {
  const { answer, read, figures, clock } = given(['a:1'])
  await Promise.all([answer('cpu'), answer('cpu,memory'), answer('cpu')])
  expect(read.map(({ name }) => name)).toEqual(['cpu', 'memory'])
  figures.ticks++
  await answer('cpu')
  expect(read).toHaveLength(3)
  await clock.advance(60_000)
  await answer('cpu')
  expect(read).toHaveLength(4)
})

test('[M 3.2] what is hidden or removed between two ticks is not in the next answer', async () => {
  const { answer, guests, read } = given(['a:1', 'hidden:2', 'a:3'])
  expect((await answer('cpu')).ids).toHaveLength(3)
  guests.delete('hidden:2')
  const { ids, fields } = await answer('cpu')
  expect([ids, fields['cpu']!.points.length, read.length]).toEqual([['a:1', 'a:3'], 2 * minutes, 1])
})

test('a failed reading is not remembered', async () => {
  const { answer, trouble, read } = given(['a:1'])
  trouble.error = new Error('the metric history is not open')
  await expect(answer('cpu')).rejects.toThrow('not open')
  delete trouble.error
  expect((await answer('cpu')).ids).toEqual(['a:1'])
  expect(read).toHaveLength(2)
})

test.each([
  ['colour', 'guests have no history of "colour"'],
  [',', 'between one and 4'],
  ['cpu,memory,disk,diskRead,diskWrite', 'between one and 4'],
])('[M 3.2] fields that make no sense are refused: %s', async (fields, text) => {
  await expect(given([]).answer(fields)).rejects.toThrow(text)
})

test('[M 1.5] the last hour of CPU of 2,500 guests takes at most 120 kB, whatever their load', () => {
  let seed = 1
  const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
  const things = Array.from({ length: 2_500 }, (_, row) => row)
  const levels = Uint8Array.from({ length: things.length * minutes }, () =>
    Math.floor(random() * alphabet.length),
  )
  const tops = new Float64Array(things.length).fill(1)
  const answer = {
    from: T0,
    ids: things.map((n) => `pve-5f0c2b6e9a41:${100 + n}`),
    fields: { cpu: { unit: 'ratio', ...writeTrend({ levels, tops }, things) } },
  }
  expect(gzipSync(JSON.stringify(answer)).length).toBeLessThanOrEqual(120_000)
})
