import { usualKeepMs } from '@pulse/domain'
import { fakeClock } from '@pulse/testkit'
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
import { given, samplesOf, T0 } from './fixtures-history.ts'
import { createHistory } from './history.ts'

test('[M 1.3] a damaged file is kept aside and a new one begun', async () => {
  const { ticks, cpu: samples, restart, file, history, opened } = await given()
  await ticks([0.1, 0.2])
  await restart()
  expect(opened).toMatchObject([{ isNew: true }, { isNew: false }])
  await history().stop()
  fs.writeFileSync(file, 'this is no database, and too long for an empty one. '.repeat(99))
  await restart()
  await ticks([0.3, 0.4])
  const kept = await samples()
  expect(kept.at(-1)).toBe(400)
  expect(kept).not.toContain(100)
  const aside = fs.readdirSync(path.dirname(file)).filter((name) => name.includes('damaged'))
  expect(aside.length).toBeGreaterThan(0)
  expect(opened.slice(2)).toMatchObject([{ isNew: true, keptAside: expect.stringContaining('damaged') }])
})

test('[M 1.3] a damaged file that a new thread finds is kept aside, and that is said once', async () => {
  const kill = watchThreads()
  const { ticks, cpu: samples, file, opened } = await given()
  await ticks([0.1, 0.2])
  process.once('worker', () => {
    fs.writeFileSync(file, 'this is no database, and too long for an empty one. '.repeat(999))
    for (const end of ['-wal', '-shm']) fs.rmSync(file + end, { force: true })
  })
  kill()
  await vi.waitFor(samples, within(20_000))
  await ticks([0.3])
  expect(await samples()).toEqual([300])
  expect(opened.filter(({ keptAside }) => keptAside !== undefined)).toHaveLength(1)
})

test('[M 1.3] on a full disk samples are lost and counted; once there is space, sampling resumes without a restart', async (context) => {
  const disk = aSmallDisk()
  if (!disk) return context.skip('no root, or no mount')
  onTestFinished(disk.end)
  const { ticks, cpu: samples, troubles, history } = await given({ disk: disk.dir })
  await ticks([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])
  disk.fill()
  await ticks(Array.from({ length: 20 }, () => 0.5))
  expect(troubles.at(-1)).toContain('The metric history cannot be written')
  fs.rmSync(path.join(disk.dir, 'filler'))
  await ticks(Array.from({ length: 14 }, () => 0.9))
  expect(troubles.at(-1)).toBeUndefined()
  const kept = await samples()
  // the first one was sampled before there was a guest
  const { ticks: taken, lostTicks } = history().figures()
  expect(lostTicks).toBe(taken - 1 - kept.length)
  expect(lostTicks).toBeGreaterThan(5)
  expect(kept.slice(0, 3)).toEqual([100, 200, 300])
  expect(kept.at(-1)).toBe(900)
  await history().clear()
  await ticks([0.1])
  expect(history().figures().lostTicks).toBe(lostTicks)
})

test('[M 4] the history can be deleted while the disk is full, and gives its space back', async (context) => {
  const disk = aSmallDisk()
  if (!disk) return context.skip('no root, or no mount')
  onTestFinished(disk.end)
  const { ticks, cpu: samples, history, file } = await given({ disk: disk.dir })
  await ticks([0.1, 0.2])
  disk.fill()
  const size = () => fs.statSync(`${file}-wal`).size + fs.statSync(file).size
  const before = size()
  await history().clear()
  await ticks([0.3])
  expect(await samples()).toEqual([300])
  expect(size()).toBeLessThan(before)
})

test('[M 4] a file that is deleted by hand on a full disk is missed, too, and another one begins', async (context) => {
  const disk = aSmallDisk()
  if (!disk) return context.skip('no root, or no mount')
  onTestFinished(disk.end)
  const { ticks, tick, cpu: samples, file } = await given({ disk: disk.dir })
  await ticks([0.1, 0.2])
  disk.fill()
  for (const end of ['', '-wal', '-shm']) fs.rmSync(file + end, { force: true })
  await vi.waitFor(async () => {
    await tick()
    expect(fs.existsSync(file)).toBe(true)
  }, within(30_000))
  await ticks([0.3])
  expect((await samples()).at(-1)).toBe(300)
})

test('[M 1.3] the trouble with new things ends when there is room, also if they are gone by then', async (context) => {
  const disk = aSmallDisk(4)
  if (!disk) return context.skip('no root, or no mount')
  onTestFinished(disk.end)
  const { ticks, tick, troubles, state } = await given({ disk: disk.dir, reserveBytes: 2_000_000 })
  await ticks([0.1])
  fs.writeFileSync(path.join(disk.dir, 'others'), Buffer.alloc(3_000_000))
  await ticks([0.2], {}, 'other')
  expect(troubles.at(-1)).toContain('less than 2 MB')
  state.forget('other')
  fs.rmSync(path.join(disk.dir, 'others'))
  await tick()
  await tick()
  expect(troubles.at(-1)).toBeUndefined()
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
  for (const call of [() => history.sizes(), () => samplesOf(history, 'a', 1)]) {
    const error = (await call().catch((reason: unknown) => reason)) as AppError
    expect(error.code).toBe('history_unavailable')
    expect(error.message).toMatch(/^The metric history cannot be opened: .{5}/)
  }
  fs.rmdirSync(file)
  expect(Buffer.from(await samplesOf(history, 'a', 1)).toString()).toContain('"points":[]')
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
