import { type SampledField, sampledFields, usualKeepMs } from '@pulse/domain'
import { aGuest, fakeClock } from '@pulse/testkit'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { AppError } from '../app-error.ts'
import { firstMeta } from '../state/first-meta.ts'
import { createState } from '../state/state.ts'
import { aSmallDisk } from '../testing/small-disk.ts'
import { watchThreads } from '../testing/threads.ts'
import { within } from '../../../../scripts/test-limits.ts'
import { createHistory, type History } from './history.ts'

const T0 = Date.UTC(2026, 0, 5, 12)
const cpu = sampledFields.find(({ kind, name }) => kind === 'guests' && name === 'cpu') as SampledField

async function given({
  disk,
  reserveBytes = 0,
  expectedFaults = 0,
}: { disk?: string; reserveBytes?: number; expectedFaults?: number } = {}) {
  const dir = disk ?? fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-history-'))
  const clock = fakeClock(T0)
  const file = path.join(dir, 'history.db')
  const troubles: (string | undefined)[] = []
  const faults: unknown[] = []
  const fault = { isSet: false }
  const state = createState(firstMeta(0, '0', []))
  let history: History
  const open = async () => {
    history = createHistory({
      tables: new Proxy(state.tables, {
        get(known, kind) {
          if (fault.isSet) throw new Error('a fault')
          return Reflect.get(known, kind) as unknown
        },
      }),
      clock,
      log: pino({ level: 'silent' }),
      file,
      reserveBytes,
      keepMs: () => usualKeepMs,
      onFault: (error) => faults.push(error),
      onTrouble: (text) => void (troubles.at(-1) !== text && troubles.push(text)),
    })
    history.start()
    // the first tick opens the file
    await clock.advance(1_000)
    await vi.waitFor(() => expect(history.figures()).toMatchObject({ owed: 0, ticks: 1 }), within(20_000))
  }
  onTestFinished(async () => {
    await history.stop()
    if (!disk) fs.rmSync(dir, { recursive: true, force: true })
    expect(faults).toHaveLength(expectedFaults)
  })
  const guest = (change: Parameters<typeof aGuest>[0] = {}, source = 'main') =>
    state.observe({
      source,
      records: {
        guests: new Map([[`${source}:100`, aGuest({ source, vmid: 100, name: 'web', ...change })]]),
      },
      state: { name: 'prod', kind: 'pve', health: 'healthy', lastSeen: clock.now() },
    })
  async function tick() {
    const before = history.figures().ticks
    await clock.advance(10_000)
    await vi.waitFor(
      () => expect(history.figures()).toMatchObject({ owed: 0, ticks: before + 1 }),
      within(20_000),
    )
  }
  /** so many ticks, each after an answer with that load */
  async function ticks(loads: readonly number[], change: Parameters<typeof aGuest>[0] = {}, source = 'main') {
    for (const load of loads) {
      guest({ cpu: load, ...change }, source)
      await tick()
    }
  }
  await open()
  return {
    clock,
    fault,
    faults,
    file,
    troubles,
    state,
    guest,
    tick,
    ticks,
    history: () => history,
    cpu: async (id = 'main:100') =>
      (await history.samples(cpu, [id], 0, clock.now() + 1))[0]!.map(({ stored }) => stored),
    async restart() {
      await history.stop()
      await open()
    },
  }
}

test('[design 14] every answer is a sample, and samples are there after a restart', async () => {
  const { ticks, cpu: samples, restart } = await given()
  await ticks([0.1, 0.2, 0.2])
  expect(await samples()).toEqual([100, 200, 200])
  await restart()
  await ticks([0.3])
  const kept = await samples()
  expect([kept.slice(0, 3), kept.at(-1)]).toEqual([[100, 200, 200], 300])
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

test('[M 1.4] a guest that migrates or is renamed keeps its line', async () => {
  const { ticks, cpu: samples } = await given()
  await ticks([0.1], { node: 'pve1' })
  await ticks([0.2], { node: 'pve2', name: 'web-new' })
  expect(await samples()).toEqual([100, 200])
})

test('[M 1.4] a connection that was removed and added again keeps the lines of its guests', async () => {
  const { ticks, cpu: samples, state } = await given()
  await ticks([0.1])
  state.forget('main')
  await ticks([0.2], {}, 'other')
  expect(await samples('other:100')).toEqual([100, 200])
})

test('[M 1.4] a new guest under the number of a deleted one is another one', async () => {
  const { ticks, cpu: samples, state, clock } = await given()
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

test('[M 1.4] a guest that was away and returns under the same name continues', async () => {
  const { tick, ticks, cpu: samples, state, clock } = await given()
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
})

test('[M 1.3] a damaged file is kept aside and a new one begun', async () => {
  const { ticks, cpu: samples, restart, file, history } = await given()
  await ticks([0.1, 0.2])
  await history().stop()
  fs.writeFileSync(file, 'this is no database, and too long for an empty one. '.repeat(99))
  await restart()
  await ticks([0.3, 0.4])
  const kept = await samples()
  expect(kept.at(-1)).toBe(400)
  expect(kept).not.toContain(100)
  const aside = fs.readdirSync(path.dirname(file)).filter((name) => name.includes('damaged'))
  expect(aside.length).toBeGreaterThan(0)
})

test('[M 1.3] on a full disk samples are lost and counted; with space again it goes on by itself', async (context) => {
  const disk = aSmallDisk()
  if (!disk) return context.skip('no root, or no mount')
  onTestFinished(disk.end)
  const { ticks, cpu: samples, troubles, history } = await given({ disk: disk.dir })
  await ticks([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])
  disk.fill()
  await ticks(Array.from({ length: 20 }, () => 0.5))
  expect(history().figures().lostTicks).toBeGreaterThan(5)
  expect(troubles.at(-1)).toContain('The metric history cannot be written')
  fs.rmSync(path.join(disk.dir, 'filler'))
  await ticks(Array.from({ length: 14 }, () => 0.9))
  expect(troubles.at(-1)).toBeUndefined()
  const kept = await samples()
  expect(kept.slice(0, 3)).toEqual([100, 200, 300])
  expect(kept.at(-1)).toBe(900)
})

test('[M 1.3] the last space of a disk is left to pulse.db', async (context) => {
  const disk = aSmallDisk(4)
  if (!disk) return context.skip('no root, or no mount')
  onTestFinished(disk.end)
  const { ticks, troubles, history } = await given({ disk: disk.dir, reserveBytes: 2_000_000 })
  await ticks([0.1])
  fs.writeFileSync(path.join(disk.dir, 'others'), Buffer.alloc(3_000_000))
  await ticks([0.2, 0.3])
  expect(troubles).toEqual([
    'The metric history cannot be written: less than 2 MB of disk space are free. Samples are lost meanwhile.',
  ])
  expect(history().figures().lostTicks).toBeGreaterThan(1)
  fs.rmSync(path.join(disk.dir, 'others'))
  await ticks([0.4])
  expect(troubles.at(-1)).toBeUndefined()
})

test('[M 1.3] a call while the file cannot be opened says why, and the next one tries again', async () => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-history-'))
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }))
  const file = path.join(dir, 'history.db')
  fs.mkdirSync(file)
  const history = createHistory({
    tables: createState(firstMeta(0, '0', [])).tables,
    clock: fakeClock(T0),
    log: pino({ level: 'silent' }),
    file,
    reserveBytes: 0,
    keepMs: () => usualKeepMs,
    onFault: () => expect.unreachable(),
    onTrouble: () => {},
  })
  onTestFinished(() => history.stop())
  for (const call of [() => history.sizes(), () => history.samples(cpu, ['a'], 0, 1)]) {
    const error = (await call().catch((reason: unknown) => reason)) as AppError
    expect(error.code).toBe('history_unavailable')
    expect(error.message).toMatch(/^The metric history cannot be opened: .{5}/)
  }
  fs.rmdirSync(file)
  expect(await history.samples(cpu, ['a'], 0, 1)).toEqual([[]])
})

test('[M 1.3] a file that is deleted while Pulse runs is missed within a minute, and another one begins', async () => {
  const { ticks, tick, cpu: samples, history, file, troubles } = await given()
  await ticks([0.1])
  for (const end of ['', '-wal', '-shm']) fs.rmSync(file + end, { force: true })
  await vi.waitFor(async () => {
    await tick()
    expect(fs.existsSync(file)).toBe(true)
  }, within(30_000))
  expect(troubles).toContain(
    'The metric history cannot be written: its file was deleted. Samples are lost meanwhile.',
  )
  await ticks(Array.from({ length: 8 }, () => 0.9))
  expect((await samples()).at(-1)).toBe(900)
  await history().stop()
  expect(fs.statSync(file).size).toBeGreaterThan(0)
})

test('[M 1.3] of damaged files only the last is kept, and deleting the history deletes it too', async () => {
  const { restart, file, history } = await given()
  const aside = () => fs.readdirSync(path.dirname(file)).filter((name) => name.includes('damaged'))
  for (const text of ['first', 'second']) {
    await history().stop()
    fs.writeFileSync(file, `${text} is no database, and too long for an empty one. `.repeat(99))
    await restart()
  }
  const [one] = aside().filter((name) => !/-(?:wal|shm)$/.test(name))
  expect(fs.readFileSync(path.join(path.dirname(file), one!), 'utf8')).toContain('second is')
  expect(aside().filter((name) => !/-(?:wal|shm)$/.test(name))).toHaveLength(1)
  await history().clear()
  expect(aside()).toEqual([])
})

test('[M 1.3] a file of a newer version is not touched, and it is said why', async () => {
  const { ticks, history, file, clock, troubles } = await given()
  await ticks([0.1])
  await history().stop()
  const db = new DatabaseSync(file)
  db.exec('PRAGMA user_version = 1000')
  db.close()
  const before = fs.readFileSync(file)
  const next = createHistory({
    tables: createState(firstMeta(0, '0', [])).tables,
    clock,
    log: pino({ level: 'silent' }),
    file,
    keepMs: () => usualKeepMs,
    onFault: () => expect.unreachable(),
    onTrouble: (text) => troubles.push(text),
  })
  onTestFinished(() => next.stop())
  await expect(next.sizes()).rejects.toMatchObject({ code: 'history_unavailable' })
  expect(troubles.at(-1)).toBe(
    'The metric history cannot be opened: it was written by a newer version of Pulse',
  )
  expect(fs.readFileSync(file).equals(before)).toBe(true)
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
  const read = () =>
    history()
      .samples(cpu, ['main:100'], 0, clock.now() + 1)
      .then(() => order.push('read'))
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
  const read = () => history().samples(cpu, ['main:100'], 0, clock.now() + 1)
  const all = await Promise.allSettled(Array.from({ length: 1_000 }, read))
  const refused = all.filter((one) => one.status === 'rejected')
  expect(refused.length).toBeGreaterThan(500)
  expect(refused[0]!.reason).toMatchObject({
    code: 'history_unavailable',
    message: 'Too many calls read the metric history. Try again in a few seconds.',
  })
  expect(await read()).toHaveLength(1)
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
