import { expect, test, vi } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { given, samplesOf, stores } from '../history/fixtures-history.ts'
import { type CallStore, StoreRefusal } from './call.ts'
import { figureOf, T0 } from './fixtures-stores.ts'
import { createOutbox } from './outbox.ts'
import { figureLabels, labelBytes } from './write-request.ts'

const victoria = stores[1]!

async function givenVictoria() {
  const server = (await victoria.start())!
  let mayWrite = true
  const samples = { ...server.samples, mayWrite: () => mayWrite }
  const history = await given({ elsewhere: { samples, settle: server.settle } })
  return { server, ...history, setWriter: (isWriter: boolean) => void (mayWrite = isWriter) }
}

/** Ticks until the trouble is that one. */
async function untilTrouble(
  { ticks, troubles }: Awaited<ReturnType<typeof given>>,
  trouble: string | undefined,
): Promise<number> {
  let ticked = 0
  await vi.waitFor(
    async () => {
      await ticks([0.5])
      ticked++
      const last = troubles.at(-1)
      if (trouble === undefined) expect(last).toBeUndefined()
      else expect(last).toContain(trouble)
    },
    { timeout: within(60_000), interval: 20 },
  )
  return ticked
}

test.skipIf(!victoria.isThere)(
  '[N 5] while the store is away samples wait, and when it is back none is missing (skipped: no victoria-metrics)',
  async () => {
    const own = await givenVictoria()
    const { server, ticks, cpu, history } = own
    await ticks([0.1])
    expect(await cpu()).toEqual([100])
    await server.halt()
    const away = await untilTrouble(own, 'no answer (ECONNREFUSED); the newest samples wait in memory.')
    await expect(samplesOf(history(), 'main:100', own.clock.now())).rejects.toMatchObject({
      code: 'history_unavailable',
      message: expect.stringContaining('no answer (ECONNREFUSED)'),
    })
    await server.rise()
    const back = await untilTrouble(own, undefined)
    expect(await cpu()).toEqual([100, ...Array<number>(away + back).fill(500)])
    expect(history().figures().lostTicks).toBe(0)
  },
)

test.skipIf(!victoria.isThere)(
  '[N 5] a store that hangs delays no tick, and has everything when it goes on (skipped: no victoria-metrics)',
  async () => {
    const own = await givenVictoria()
    const { server, ticks, cpu, history } = own
    await ticks([0.1])
    expect(await cpu()).toEqual([100])
    server.freeze()
    const away = await untilTrouble(own, 'no answer within 5 s; the newest samples wait in memory.')
    server.thaw()
    const back = await untilTrouble(own, undefined)
    // a request that was cut off may have been taken, too
    expect(await cpu()).toEqual([100, ...Array<number>(away + back).fill(500)])
    expect(history().figures().lostTicks).toBe(0)
  },
)

test.skipIf(!victoria.isThere)(
  '[N 5] only a process that may write does, and it reads all the same (skipped: no victoria-metrics)',
  async () => {
    const { ticks, guest, clock, history, cpu, setWriter } = await givenVictoria()
    await ticks([0.1])
    expect(await cpu()).toEqual([100])
    setWriter(false)
    for (let n = 1; n <= 3; n++) {
      guest({ cpu: 0.9 })
      await clock.advance(10_000)
      await vi.waitFor(() => expect(history().figures()).toMatchObject({ held: n, owed: 0 }), within(20_000))
    }
    expect(
      (
        await history().series('guests', [{ id: 'main:100', shown: 'x' }], [figureOf('guests', 'cpu')], {
          tier: 'raw',
          from: T0,
          to: clock.now() + 1,
          until: clock.now() + 1,
          asOf: clock.now() + 1,
          most: 100,
        })
      ).length,
    ).toBeGreaterThan(0)
    setWriter(true)
    await ticks([0.2])
    expect(await cpu()).toEqual([100, 200])
  },
)

const tickOf = (things: number) => ({
  labels: figureLabels(figureOf('guests', 'cpu')),
  ids: Array.from({ length: things }, (_, n) => labelBytes('id', `main:${n}`)),
  values: Array<number>(things).fill(100),
})

/** A store that takes requests until it fails, and the sizes of those that it took. */
function fakeStore() {
  const sizes: number[] = []
  let failure: Error | undefined
  const call: CallStore = ({ body, read }) => {
    if (failure) return Promise.reject(failure)
    sizes.push(body.length)
    return Promise.resolve(read(Buffer.alloc(0)))
  }
  return { call, sizes, fail: (error: Error | undefined) => void (failure = error) }
}

test('[N 5] memory is bounded: the newest ticks wait, and the others are counted as lost', async () => {
  const store = fakeStore()
  const outbox = createOutbox(store.call, { most: 100 })
  store.fail(new Error('away'))
  for (let n = 0; n < 30; n++) {
    outbox.add(T0 + n * 10_000, [tickOf(10)], false)
    await Promise.resolve()
  }
  await expect(outbox.close()).rejects.toThrow('10 ticks were not sent: away')
  expect(outbox.news()).toEqual({ lostTicks: 20, error: 'away; samples are lost meanwhile' })
  store.fail(undefined)
  outbox.add(T0 + 300_000, [tickOf(10)], false)
  await outbox.close()
  expect(store.sizes).toHaveLength(10)
  expect(outbox.news()).toEqual({ lostTicks: 1 })
})

test('[N 5] samples that the store refuses are lost and counted, and the next ones are sent', async () => {
  const store = fakeStore()
  const outbox = createOutbox(store.call)
  store.fail(new StoreRefusal(400, 'it answers with status 400: out of order sample'))
  outbox.add(T0, [tickOf(1)], false)
  await outbox.close()
  expect(outbox.news()).toEqual({
    lostTicks: 1,
    error: 'it answers with status 400: out of order sample; samples are lost meanwhile',
  })
  store.fail(undefined)
  outbox.add(T0 + 10_000, [tickOf(1)], false)
  await outbox.close()
  expect(store.sizes).toHaveLength(1)
  expect(outbox.news()).toEqual({ lostTicks: 0 })
})

test('[N 5] a wrong password loses nothing, because an administrator corrects it', async () => {
  const store = fakeStore()
  const outbox = createOutbox(store.call)
  store.fail(new StoreRefusal(401, 'it answers with status 401'))
  outbox.add(T0, [tickOf(1)], false)
  await expect(outbox.close()).rejects.toThrow('1 ticks were not sent')
  store.fail(undefined)
  await outbox.close()
  expect(store.sizes).toHaveLength(1)
})

test('[N 5] a large tick is several requests, and each is sent once', async () => {
  const store = fakeStore()
  const outbox = createOutbox(store.call)
  outbox.add(T0, [tickOf(60_000)], false)
  await outbox.close()
  expect(store.sizes.length).toBeGreaterThan(2)
  expect(Math.max(...store.sizes)).toBeLessThan(3_000_000)
})

test('[N 5] nothing is sent while another process writes', async () => {
  const store = fakeStore()
  const outbox = createOutbox(store.call)
  outbox.add(T0, [tickOf(1)], true)
  await expect(outbox.close()).rejects.toThrow('1 ticks were not sent: they are held')
  expect(store.sizes).toEqual([])
})
