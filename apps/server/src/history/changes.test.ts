import type { Guest } from '@pulse/contract'
import { usualKeepMs } from '@pulse/domain'
import { aGuest, fakeClock } from '@pulse/testkit'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { firstMeta } from '../state/first-meta.ts'
import { createState, type State } from '../state/state.ts'
import { aSmallDisk } from '../testing/small-disk.ts'
import { watchThreads } from '../testing/threads.ts'
import { within } from '../../../../scripts/test-limits.ts'
import { createChangeRecorder } from './change-recorder.ts'
import { createHistory } from './history.ts'

const T0 = Date.UTC(2026, 0, 5, 12)
const minute = 60_000

type Frame = { index: Record<string, string[]>; state: Record<string, Record<string, unknown>[]> }

/** A server's history without the server: a state, the recorder, and the thread with its file. */
function given({ disk }: { disk?: string } = {}) {
  const dir = disk ?? fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-changes-'))
  const clock = fakeClock(T0)
  const log = pino({ level: 'silent' })
  const faults: unknown[] = []
  let state: State
  let history: ReturnType<typeof createHistory>
  let recorder: ReturnType<typeof createChangeRecorder>

  async function start() {
    state = createState(firstMeta(0, '0', []))
    history = createHistory({
      tables: state.tables,
      clock,
      log,
      file: path.join(dir, 'history.db'),
      reserveBytes: 0,
      keepMs: () => usualKeepMs,
      onFault: (error) => faults.push(error),
      onOpened: () => recorder.resend(),
      onTrouble: () => {},
    })
    recorder = createChangeRecorder({
      state,
      clock,
      log,
      send: async (entries) => (await history.ask({ do: 'log', now: clock.now(), entries })).logged,
      onFault: (error) => faults.push(error),
    })
    history.start()
    recorder.start()
    await clock.advance(1_000)
    await vi.waitFor(() => expect(history.figures().ticks).toBe(1), within(20_000))
  }

  async function stop() {
    await recorder.stop()
    await history.stop()
  }
  onTestFinished(async () => {
    await stop()
    if (!disk) fs.rmSync(dir, { recursive: true, force: true })
    expect(faults).toEqual([])
  })

  const frameAt = async (at: number): Promise<Frame | undefined> => {
    const query = { at, slice: 'live', tier: 'raw', gzip: false } as const
    const { body } = await history.ask({ do: 'state', query })
    return body && (JSON.parse(Buffer.from(body).toString()) as { frame: Frame }).frame
  }

  return {
    clock,
    start,
    stop,
    frameAt,
    kill: watchThreads(),
    sent: () => recorder.figures().changes,
    observe: (guests: readonly Guest[]) =>
      state.observe({
        source: 'main',
        records: { guests: new Map(guests.map((guest) => [`main:${guest.vmid}`, guest])) },
        state: { name: 'prod', kind: 'pve', health: 'healthy', lastSeen: clock.now() },
      }),
    /** Lets that time pass. The thread takes what it gets before the next step. */
    async pass(ms: number) {
      for (let left = ms; left > 0; left -= 10_000) {
        await clock.advance(Math.min(left, 10_000))
        const owed = () => recorder.figures().owed + history.figures().owed
        await vi.waitFor(() => expect(owed()).toBe(0), { timeout: within(20_000), interval: 1 })
      }
    },
    async guestsAt(at: number) {
      const frame = await frameAt(at)
      return Object.fromEntries(
        frame?.index['guests']?.map((id, n) => [id, frame.state['guests']![n]!['name']]) ?? [],
      )
    },
    async words() {
      const query = { from: 0, to: clock.now() + 1, most: 100 }
      const { page } = await history.ask({ do: 'changes', query, isCounted: false })
      return page.notices.map(({ what, name }) => `${name} ${what}`)
    },
  }
}

const web = (change: Partial<Guest> = {}) => aGuest({ name: 'web', ...change })
const db = aGuest({ vmid: 101, name: 'db' })

test('[M 3.4] the estate of then has the names of then, and the figures that were measured', async () => {
  const { start, observe, pass, clock, guestsAt, frameAt } = given()
  await start()
  observe([web({ cpu: 0.5 }), db])
  await pass(4 * minute)
  const before = clock.now()
  await pass(minute)
  observe([web({ name: 'www' })])
  await pass(minute)
  expect(await guestsAt(before)).toEqual({ 'main:100': 'web', 'main:101': 'db' })
  expect(await guestsAt(clock.now())).toEqual({ 'main:100': 'www' })
  const [record] = (await frameAt(T0 + 30_000))!.state['guests']!
  expect(record).toMatchObject({ cpu: 0.5, node: 'pve1' })
  expect((await frameAt(before))!.state['guests']![0]).not.toHaveProperty('cpu')
  expect(await frameAt(T0 - 1)).toBeUndefined()
})

test('[M 1.3] a thread that ends loses what is not a minute old, and the state of after is whole', async () => {
  const { start, observe, pass, clock, guestsAt, kill } = given()
  await start()
  observe([web()])
  await pass(minute)
  const early = clock.now()
  observe([web({ name: 'web2' })])
  await pass(2 * minute)
  const later = clock.now()
  observe([web({ name: 'web3' }), db])
  kill()
  await vi.waitFor(async () => {
    await pass(10_000)
    expect(await guestsAt(clock.now())).toEqual({ 'main:100': 'web3', 'main:101': 'db' })
  }, within(60_000))
  expect(await guestsAt(early - 1)).toEqual({ 'main:100': 'web' })
  expect(await guestsAt(later - 1)).toEqual({ 'main:100': 'web2' })
})

test('[M 3.5] what happened while Pulse was off is a change of the next start', async () => {
  const { start, stop, observe, pass, clock, guestsAt, words } = given()
  await start()
  observe([web(), db])
  await pass(20 * minute)
  await stop()
  const off = clock.now()
  await clock.advance(60 * minute)
  await start()
  observe([web({ node: 'pve2' })])
  await pass(minute)
  expect(await words()).toEqual(['web moved', 'prod came'])
  // the source may not have listed everything yet
  expect(await guestsAt(clock.now())).toEqual({ 'main:100': 'web', 'main:101': 'db' })
  await pass(12 * minute)
  expect(await words()).toEqual(['db went', 'web moved', 'prod came'])
  expect(await guestsAt(clock.now())).toEqual({ 'main:100': 'web' })
  expect(await guestsAt(off)).toEqual({ 'main:100': 'web', 'main:101': 'db' })
})

test('[M 4] figures that change send nothing to the thread', async () => {
  const { start, observe, pass, sent } = given()
  await start()
  observe([web({ cpu: 0 })])
  await pass(minute)
  const before = sent()
  for (let n = 1; n < 50; n++) {
    observe([web({ cpu: n / 100 })])
    await pass(10_000)
  }
  expect(sent()).toBe(before)
})

test('[M 1.3] on a full disk changes are lost; with space again the next state is whole', async (context) => {
  const disk = aSmallDisk()
  if (!disk) return context.skip('no root, or no mount')
  onTestFinished(disk.end)
  const { start, observe, pass, clock, guestsAt } = given({ disk: disk.dir })
  await start()
  observe([web()])
  await pass(2 * minute)
  disk.fill()
  for (let n = 0; n < 20; n++) {
    observe([web({ name: `web${n}`.repeat(40), tags: 'x'.repeat(9_000) })])
    await pass(minute)
  }
  fs.rmSync(path.join(disk.dir, 'filler'))
  observe([web({ name: 'late' })])
  await pass(4 * minute)
  expect(await guestsAt(T0 + minute)).toEqual({ 'main:100': 'web' })
  expect(await guestsAt(clock.now())).toEqual({ 'main:100': 'late' })
})
