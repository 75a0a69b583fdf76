import { fakeClock } from '@pulse/testkit'
import type { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGround, type Ground } from '../auth/fixtures.ts'
import { deliveryStore } from '../db/deliveries.ts'
import type { DeliveryRow } from '../db/schema.ts'
import { createWriter } from './writer.ts'

let ground: Ground
beforeAll(async () => {
  ground = await aGround()
})
afterAll(() => ground.end())

const row = (id: string, items = '[]'): DeliveryRow => ({
  id,
  event_id: id,
  kind: 'raised',
  channel_id: 'email',
  channel_kind: 'email',
  channel_name: 'Email',
  service: 'email',
  address: '127.0.0.1:25',
  state: 'waiting',
  created_at: 1,
  updated_at: 1,
  next_attempt_at: null,
  attempts: 0,
  log: '[]',
  status_code: null,
  error: null,
  payload_size: null,
  alert_count: 1,
  alerts: '[]',
  items,
  alert_ids: '[]',
  sources: '[]',
})

/** A disk that accepts or refuses writes as the test decides. */
function aDisk() {
  const store = deliveryStore(ground.db)
  const asked: { queries: readonly CompiledQuery[]; answer: (take: boolean) => Promise<void> }[] = []
  const write = (queries: readonly CompiledQuery[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const answer = (take: boolean) =>
      take ? store.write(queries).then(resolve, reject) : Promise.resolve(reject(new Error('disk full')))
    asked.push({ queries, answer })
    return promise
  }
  return { store, asked, writer: createWriter({ write }, ground.clock, ground.log) }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('[R9] refused records are written before later ones', async () => {
  const { store, asked, writer } = aDisk()
  void writer.write(() => [store.adding(row('first'))])
  await turn()
  void writer.write(() => [store.changing('first', { state: 'delivered' })])
  await turn()
  await asked[0]!.answer(false)
  await turn()
  await ground.clock.advance(5_000)
  for (let n = 1; n < asked.length; n++) {
    await asked[n]!.answer(true)
    await turn()
  }
  expect(await store.get('first')).toMatchObject({ state: 'delivered' })
})

test('[R9] a record whose write was refused but done is written again, and does not block others', async () => {
  const { store, asked, writer } = aDisk()
  void writer.write(() => [store.adding(row('second'))])
  await turn()
  await store.write(asked[0]!.queries)
  await asked[0]!.answer(false)
  await turn()
  void writer.write(() => [store.changing('second', { state: 'delivered' })])
  await turn()
  await asked[1]!.answer(true)
  expect(await store.get('second')).toMatchObject({ state: 'delivered' })
})

test('[R9] a disk that is full for long fills the memory no further than 64 million characters', async () => {
  const { store, asked, writer } = aDisk()
  const long = 'x'.repeat(10_000_000)
  for (let n = 0; n < 10; n++) {
    void writer.write(() => [store.adding(row(`long-${n}`, long))])
    await turn()
    await asked.at(-1)!.answer(false)
    await turn()
  }
  const refused = asked.length
  void writer.write(() => [])
  await turn()
  for (let n = refused; n < asked.length; n++) {
    await asked[n]!.answer(true)
    await turn()
  }
  expect(asked.slice(refused).flatMap(({ queries }) => queries)).toHaveLength(6)
  writer.stop()
})

test('[R18] records of a storm for a hundred channels are serialised a few megabytes at a time', async () => {
  const { store, asked, writer } = aDisk()
  const written = Array.from({ length: 30 }, (_, n) =>
    writer.write(() => [store.adding(row(`storm-${n}`, 'x'.repeat(1_000_000)))]),
  )
  await turn()
  for (let n = 0; n < asked.length; n++) {
    await asked[n]!.answer(true)
    await turn()
  }
  await Promise.all(written)
  expect(Math.max(...asked.map(({ queries }) => queries.length))).toBeLessThan(10)
  expect(asked.flatMap(({ queries }) => queries)).toHaveLength(30)
})

test('[R18] messages that fail for weeks keep their full text within the bound, the newest first', async () => {
  const { store } = aDisk()
  const items = JSON.stringify(['x'.repeat(20_000_000)])
  for (const id of ['a', 'b', 'c', 'd', 'e'])
    await store.write([store.adding({ ...row(`failed-${id}`, items), state: 'failed' })])
  await store.trim(1_000, 0)
  const kept = ['a', 'b', 'c', 'd', 'e'].map(async (id) => (await store.get(`failed-${id}`))!.items !== '[]')
  expect(await Promise.all(kept)).toEqual([false, false, true, true, true])
})

test('after its end nothing is retried, including later refusals', async () => {
  const clock = fakeClock()
  const refusing = { write: () => Promise.reject(new Error('the database is closed')) }
  const writer = createWriter(refusing, clock, ground.log)
  const { store } = aDisk()
  await writer.write(() => [store.adding(row('before'))])
  writer.stop()
  await writer.write(() => [store.adding(row('later'))])
  expect(clock.pending()).toBe(0)
})
