import type { HistorySeries } from '@pulse/contract'
import { sampledFields } from '@pulse/domain'
import { aGuestDisk } from '@pulse/testkit'
import { describe, expect, test, vi } from 'vitest'
import { watchThreads } from '../testing/threads.ts'
import { within } from '../../../../scripts/test-limits.ts'
import { given, samplesOf, stores, T0 } from './fixtures-history.ts'

describe.each(stores)('with $store', ({ isThere, start }) => {
  test.skipIf(!isThere)(
    '[design 14] every answer is a sample, and samples are there after a restart',
    async () => {
      const { ticks, cpu: samples, restart } = await given({ elsewhere: await start() })
      await ticks([0.1, 0.2, 0.2])
      expect(await samples()).toEqual([100, 200, 200])
      await restart()
      await ticks([0.3])
      const kept = await samples()
      expect([kept.slice(0, 3), kept.at(-1)]).toEqual([[100, 200, 200], 300])
    },
  )

  test.skipIf(!isThere)('[M 1.4] a guest that migrates or is renamed keeps its line', async () => {
    const { ticks, cpu: samples } = await given({ elsewhere: await start() })
    await ticks([0.1], { node: 'pve1' })
    await ticks([0.2], { node: 'pve2', name: 'web-new' })
    expect(await samples()).toEqual([100, 200])
  })

  test.skipIf(!isThere)(
    '[M 1.4] a connection that was removed and added again keeps the lines of its guests',
    async () => {
      const { ticks, cpu: samples, state } = await given({ elsewhere: await start() })
      await ticks([0.1])
      state.forget('main')
      await ticks([0.2], {}, 'other')
      expect(await samples('other:100')).toEqual([100, 200])
    },
  )

  test.skipIf(!isThere)('[M 1.4] a new guest under the number of a deleted one is another one', async () => {
    const { ticks, cpu: samples, state, clock } = await given({ elsewhere: await start() })
    await ticks([0.1])
    state.observe({
      source: 'main',
      records: { guests: new Map() },
      state: { name: 'prod', kind: 'pve', health: 'healthy', lastSeen: clock.now() },
    })
    await clock.advance(10_000)
    await ticks([0.9], { name: 'db' })
    expect(await samples()).toEqual([900])
  })

  test.skipIf(!isThere)(
    '[M 1.4] a guest that was away and returns under the same name continues',
    async () => {
      const { tick, ticks, cpu: samples, state, clock } = await given({ elsewhere: await start() })
      await ticks([0.1])
      state.observe({
        source: 'main',
        records: { guests: new Map() },
        state: { name: 'prod', kind: 'pve', health: 'healthy', lastSeen: clock.now() },
      })
      // longer than a thing may be away before it counts as removed
      for (let n = 0; n < 90; n++) await tick()
      await ticks([0.2])
      expect(await samples()).toEqual([100, 200])
    },
  )

  test.skipIf(!isThere)(
    '[M 1.1] the file systems of guests are sampled, each with the reasons for its gaps',
    async () => {
      const { ticks, history, clock, settled } = await given({ elsewhere: await start() })
      const disks = (usage: number) => [aGuestDisk('/srv', usage)]
      await ticks([0.1], { disks: disks(40) })
      await ticks([0.1], { disks: disks(41), name: 'renamed' })
      await ticks([0.1, 0.1], { status: 'stopped', name: 'renamed' })
      await ticks([0.1, 0.1], { name: 'renamed' })
      await ticks([0.1], { disks: disks(42), name: 'renamed' })
      await settled()
      const usage = sampledFields.find(({ kind }) => kind === 'fileSystems')!
      const to = clock.now() + 1
      const json = await history().series(
        'fileSystems',
        [{ id: 'main:100:srv', shown: 'main:100:srv' }],
        [usage],
        { tier: 'raw', from: T0 - 86_400_000, to, until: to, asOf: to, most: Infinity },
      )
      const [series] = JSON.parse(Buffer.from(json).toString()) as HistorySeries[]
      expect(series!.points.map(({ mean }) => mean)).toEqual([40, 41, 42])
      expect(series!.gaps.map(({ reason }) => reason)).toEqual(expect.arrayContaining(['stopped', 'silent']))
    },
  )
})

test('[M 1.3] a thread that ends loses the minute under way, and is replaced', async () => {
  const kill = watchThreads()
  const { ticks, cpu: samples } = await given()
  // the first seven ticks reach into the second minute
  await ticks([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])
  kill()
  await vi.waitFor(samples, within(20_000))
  await ticks([0.8, 0.9])
  const kept = await samples()
  expect(kept.slice(0, 5)).toEqual([100, 200, 300, 400, 500])
  expect(kept.at(-1)).toBe(900)
})

test('[M 1.3] a thread that takes no samples for two minutes is a trouble, until it takes them', async () => {
  const { ticks, guest, history, clock, troubles } = await given()
  await ticks([0.1])
  // as after twelve ticks without an answer
  const figures = history().figures()
  figures.owed += 12
  guest({ cpu: 0.2 })
  await clock.advance(10_000)
  await vi.waitFor(() => expect(figures.lostTicks).toBe(1), within(20_000))
  expect(troubles.at(-1)).toBe(
    'The metric history cannot be written: it takes too long. Samples are lost meanwhile.',
  )
  figures.owed -= 12
  await ticks([0.3])
  expect(troubles.at(-1)).toBeUndefined()
})

test('[M 4] samples do not wait for the many who read', async () => {
  const { ticks, history, clock } = await given()
  await ticks([0.1, 0.2])
  const order: string[] = []
  const read = () => samplesOf(history(), 'main:100', clock.now() + 1).then(() => order.push('read'))
  const all = Array.from({ length: 100 }, read)
  // all calls have reached the queue or the thread
  await Promise.resolve()
  const write = history()
    .ask({ do: 'log', now: clock.now(), entries: [] })
    .then(() => order.push('write'))
  await Promise.all([...all, write])
  expect(order.indexOf('write')).toBeLessThan(10)
})

test('[M 4] more readers than can wait are refused, and the next one is not', async () => {
  const { ticks, history, clock } = await given()
  await ticks([0.1])
  const read = () => samplesOf(history(), 'main:100', clock.now() + 1)
  const all = await Promise.allSettled(Array.from({ length: 1_000 }, read))
  const refused = all.filter((one) => one.status === 'rejected')
  expect(refused.length).toBeGreaterThan(500)
  expect(refused[0]!.reason).toMatchObject({
    code: 'history_unavailable',
    message: 'Too many calls read the metric history. Try again in a few seconds.',
  })
  expect(await read()).toBeInstanceOf(Uint8Array)
})

test('[M 1.3] a read that meets a thread that has ended says so as a read, and a later one has its answer', async () => {
  const kill = watchThreads()
  const { ticks, history, clock, cpu: samples } = await given()
  await ticks([0.1])
  const read = () => samplesOf(history(), 'main:100', clock.now() + 1)
  kill()
  for (const one of await Promise.allSettled([read(), read()]))
    if (one.status === 'rejected')
      expect(one.reason).toMatchObject({
        code: 'history_unavailable',
        message: 'The metric history is being opened again. Try again in a moment.',
      })
  await vi.waitFor(samples, within(20_000))
})

test('a tick that throws is reported, and the next ticks go on', async () => {
  const { ticks, cpu: samples, fault, faults, guest, clock } = await given({ expectedFaults: 1 })
  await ticks([0.1])
  guest({ cpu: 0.2 })
  fault.isSet = true
  await clock.advance(10_000)
  await vi.waitFor(() => expect(faults).toHaveLength(1), within(20_000))
  fault.isSet = false
  await ticks([0.3])
  expect(await samples()).toEqual([100, 300])
})

test('[M 4] a history that was deleted begins again, and stays so after a restart', async () => {
  const { ticks, cpu: samples, history, restart, clock, troubles } = await given()
  await ticks([0.1, 0.2])
  expect((await history().sizes()).oldest).toBeLessThanOrEqual(clock.now())
  await history().clear()
  expect(await samples()).toEqual([])
  expect((await history().sizes()).oldest).toBeUndefined()
  await ticks([0.3])
  expect(await samples()).toEqual([300])
  await restart()
  await ticks([0.4])
  const kept = await samples()
  expect([kept[0], kept.at(-1)]).toEqual([300, 400])
  expect(troubles.filter((text) => text !== undefined)).toEqual([])
})
