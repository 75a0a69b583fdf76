import { fakeClock } from '@pulse/testkit'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import type { AlertStore } from '../db/alerts.ts'
import { aChange } from './fixtures.ts'
import { retryMs } from '../timing/write-behind.ts'
import { type AlertWriter, batchEpisodes, createAlertWriter, mostEnded } from './alert-writer.ts'

type Written = Parameters<AlertStore['write']>[0]

let written: Written[]
let isFull: boolean
let clock: ReturnType<typeof fakeClock>
let writer: AlertWriter
beforeEach(() => {
  written = []
  isFull = false
  clock = fakeClock()
  const write = async (rows: Written) => {
    if (isFull) throw new Error('the disk is full')
    written.push(rows)
  }
  writer = createAlertWriter({ write }, clock, pino({ level: 'silent' }))
})

const idsOf = ({ alerts }: Written) => alerts.map(({ id }) => id)

test('only the last of several changes before a write is written', async () => {
  writer.take([aChange({ id: 'a' }), aChange({ id: 'b' })])
  writer.take([aChange({ id: 'a', acknowledged: true }, { what: 'acknowledged' })])
  await writer.write()
  await writer.write()
  expect(written.map(idsOf)).toEqual([['a', 'b']])
  expect(
    written[0]!.history.map(({ alert }) => (JSON.parse(alert) as { acknowledged: boolean }).acknowledged),
  ).toEqual([true, false])
})

test('a refreshed alert alone causes no write', async () => {
  writer.take([aChange({ id: 'a', value: 99 }, { what: 'refreshed' })])
  await writer.write()
  expect(written).toEqual([])
  await writer.settle()
  await writer.settle()
  expect(written.map(idsOf)).toEqual([['a']])
  expect(written[0]!.history).toEqual([])
})

test('simultaneous changes are serialized some hundred alerts at a time', async () => {
  let texts = 0
  const counts: number[] = []
  const metadata = { toJSON: () => void texts++ }
  const store = { write: async () => void counts.push(texts) }
  const own = createAlertWriter(store, clock, pino({ level: 'silent' }))
  own.take(Array.from({ length: 2 * batchEpisodes }, (_, n) => aChange({ id: `${n}`, metadata })))
  expect(texts).toBe(0)
  await own.write()
  const perAlert = 2
  expect(counts).toEqual([perAlert * batchEpisodes, 2 * perAlert * batchEpisodes])
})

test('a resolved alert is stored with its ending', async () => {
  writer.take([aChange({ id: 'a' }, { what: 'resolved', ending: 'passed', at: 7 })])
  await writer.write()
  const [row] = written[0]!.alerts
  expect(row).toMatchObject({ id: 'a', resolved_at: 7 })
  expect(JSON.parse(row!.stored)).toMatchObject({ ending: 'passed', endedAt: 7 })
})

test('[R9] changes that a full disk refused are written once there is room, unless they are outdated', async () => {
  isFull = true
  writer.take([aChange({ id: 'a', value: 1 }), aChange({ id: 'b' })])
  await writer.write()
  writer.take([aChange({ id: 'a', value: 2 }, { what: 'leveled' })])
  await clock.advance(retryMs)
  expect(written).toEqual([])
  isFull = false
  await clock.advance(retryMs)
  expect(written.map(idsOf)).toEqual([['a', 'b']])
  expect(written[0]!.history[0]!.alert).toContain('"value":2')
  await clock.advance(10 * retryMs)
  expect(written).toHaveLength(1)
})

test('a refused change never overwrites a newer one', async () => {
  const onDisk: string[] = []
  const waiting: PromiseWithResolvers<void>[] = []
  const write = async ({ history }: Written) => {
    const turn = Promise.withResolvers<void>()
    waiting.push(turn)
    await turn.promise
    onDisk.push(...history.map(({ level }) => level))
  }
  writer = createAlertWriter({ write }, clock, pino({ level: 'silent' }))
  writer.take([aChange({ id: 'a', level: 'warning' })])
  const first = writer.write()
  await expect.poll(() => waiting).toHaveLength(1)
  writer.take([aChange({ id: 'a', level: 'critical' }, { what: 'leveled' })])
  const second = writer.write()
  // On a slow disk the second write can start before the first one fails.
  await new Promise(setImmediate)
  waiting[1]?.resolve()
  waiting[0]!.reject(new Error('the disk is full'))
  await first
  await expect.poll(() => waiting).toHaveLength(2)
  waiting[1]!.resolve()
  await second
  const later = clock.advance(retryMs)
  await new Promise(setImmediate)
  waiting[2]?.resolve()
  await later
  expect(onDisk).toEqual(['critical'])
})

test('a flood is written in pieces: other database calls run in between', async () => {
  const all = Array.from({ length: 2 * batchEpisodes + 1 }, (_, n) => aChange({ id: `a${n}` }))
  writer.take(all)
  await writer.write()
  expect(written.map(({ alerts, history }) => [alerts.length, history.length])).toEqual([
    [batchEpisodes, batchEpisodes],
    [batchEpisodes, batchEpisodes],
    [1, 1],
  ])
})

test('changes during a write wait for the next one, or nothing would ever be shown', async () => {
  let turns = 0
  const write = async () => {
    turns++
    writer.take([aChange({ id: `later ${turns}` })])
  }
  writer = createAlertWriter({ write }, clock, pino({ level: 'silent' }))
  writer.take([aChange({ id: 'first' })])
  await writer.write()
  expect(turns).toBe(1)
  await writer.write()
  expect(turns).toBe(2)
})

test('[R18] while the disk refuses writes, open alerts and the latest ended episodes are kept', async () => {
  isFull = true
  writer.take([aChange({ id: 'open' })])
  for (let n = 0; n < mostEnded + 500; n++) {
    const change = aChange({ id: `c${n}` })
    writer.take([change])
    writer.take([{ ...change, what: 'resolved', ending: 'passed', at: n }])
  }
  await writer.write()
  isFull = false
  await clock.advance(retryMs)
  await expect.poll(() => written.flatMap(({ history }) => history)).toHaveLength(mostEnded + 1)
  const ids = written.flatMap(idsOf)
  expect(ids).toHaveLength(mostEnded + 1)
  expect(ids).toContain('open')
  expect(ids).toContain(`c${mostEnded + 499}`)
  expect(ids).not.toContain('c0')
})

test('after the stop no write is retried', async () => {
  isFull = true
  writer.take([aChange({ id: 'a' })])
  await writer.write()
  writer.stop()
  writer.take([aChange({ id: 'b' })])
  await writer.write()
  expect(clock.pending()).toBe(0)
})
