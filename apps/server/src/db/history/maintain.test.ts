import { usualKeepMs } from '@pulse/domain'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { type HistoryFile, openHistoryFile } from './history-file.ts'
import { maintain } from './maintain.ts'

const T0 = Date.UTC(2026, 5, 5)
const T2099 = Date.UTC(2099, 0, 1)
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

function aFile() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-history-'))
  const file = path.join(folder, 'history.db')
  let history: HistoryFile | undefined
  onTestFinished(() => {
    history?.close()
    fs.rmSync(folder, { recursive: true, force: true })
  })
  return {
    file,
    open() {
      history?.close()
      return (history = openHistoryFile(file, [{ kind: 'guests', name: 'cpu' }], 0))
    },
  }
}

/** A sample of a busy thing every five minutes. */
function fill({ append, opened }: HistoryFile, from: number, to: number, things = [3, 40]) {
  const field = opened().fields[0]!.number
  for (let at = from; at < to; at += 5 * minute)
    append(at, [{ field, things, values: things.map((thing) => (at / minute + thing * 7) % 1_000) }])
}

function run(history: HistoryFile, now: number, monotonic: number, keepMs = usualKeepMs) {
  for (const _ of maintain(history, { now, monotonic, keepMs }));
}

const kept = ({ store, opened }: HistoryFile) => {
  const field = opened().fields[0]!.number
  return {
    raw: store.samples(field, [3], 0, T2099)[0]!.length,
    minutes: store.buckets('minute', field, [3], 0, T2099)[0]!.length,
  }
}

test('[M 1.2] what is older than its tier is removed, with the lengths of the settings', () => {
  const history = aFile().open()
  fill(history, T0, T0 + 2 * day)
  run(history, T0 + 2 * day, 0)
  expect(kept(history)).toEqual({ raw: 288, minutes: 576 })
  run(history, T0 + 2 * day, 0, { ...usualKeepMs, raw: 2 * hour, minute: day })
  expect(kept(history)).toEqual({ raw: 24, minutes: 288 })
})

test('[M 1.2] a tier knows what it has lost, after a restart too, and a new one has lost nothing', () => {
  const { open } = aFile()
  const history = open()
  fill(history, T0, T0 + 2 * day)
  run(history, T0 + day, 0)
  expect(history.opened().removedUntil).toEqual({})
  run(history, T0 + 2 * day, day, { ...usualKeepMs, raw: 2 * hour, minute: day })
  const lost = { raw: T0 + 46 * hour, minute: T0 + day }
  expect(history.opened().removedUntil).toEqual(lost)
  expect(open().opened().removedUntil).toEqual(lost)
})

test('[M 4] a wall clock that jumps to 2099 does not delete the history, nor does a restart with it', () => {
  const { open } = aFile()
  let history = open()
  fill(history, T0, T0 + 2 * day)
  run(history, T0 + 2 * day, 0)
  const before = kept(history)
  run(history, T2099, minute)
  expect(kept(history)).toEqual(before)
  for (let start = 0; start < 3; start++) {
    history = open()
    run(history, T2099, 0)
    run(history, T2099, minute)
  }
  expect(kept(history)).toEqual(before)
  // the clock is right again
  run(history, T0 + 2 * day + hour, hour)
  expect(kept(history)).toEqual({ ...before, raw: before.raw - 12 })
})

test('[M 1.2] after a month without Pulse, what is too old goes while it runs', () => {
  const { open } = aFile()
  fill(open(), T0, T0 + day)
  run(open(), T0 + day, 0)
  const history = open()
  const back = T0 + 31 * day
  run(history, back, 0)
  expect(kept(history).minutes).toBe(288)
  for (let passed = hour; passed <= 32 * hour; passed += hour) run(history, back + passed, passed)
  expect(kept(history)).toEqual({ raw: 0, minutes: 0 })
})

test('[M 1.4] a short-lived guest is forgotten no sooner than its changes, so that the next one does not have them', () => {
  const history = aFile().open()
  const guest = { kind: 'guests', id: 'main:100', alias: 'prod:100' } as const
  const goneAt = T0 + hour
  history.things.identify(T0, [], [{ ...guest, mark: 'job' }])
  history.things.identify(goneAt, [{ kind: 'guests', number: 0, goneAt }], [{ ...guest, mark: 'web' }])
  const found = (days: number) => {
    run(history, T0 + days * day, days * day)
    return history.things.find('guests', ['main:100'], goneAt)
  }
  expect([0, 15, 17].map(found)).toEqual([[0], [0], [1]])
})

test('[M 1.2] the size of each tier is what its tiles take, also after days were added and blocks removed', () => {
  const { open, file } = aFile()
  const things = Array.from({ length: 320 }, (_, n) => n)
  let history = open()
  for (let n = 0; n < 3; n++) {
    const from = T0 + n * day
    fill(history, from, from + day, things)
    run(history, from + day, 0)
    // late samples of the day before add a part to an hour that was over
    fill(history, from + hour, from + 2 * hour, [5])
    run(history, from + day + minute, 2 * hour)
    history = open()
  }
  const { tiers, fileBytes, oldest } = history.sizes()
  const db = new DatabaseSync(file)
  onTestFinished(() => db.close())
  const names = ['raw', 'minute', 'quarter', 'day']
  const stored = db
    .prepare('SELECT tier, sum(length(body) + 100) AS bytes FROM tiles GROUP BY tier')
    .all()
    .map(({ tier, bytes }) => [names[Number(tier)], bytes])
  expect(tiers.map(({ tier, bytes }) => [tier, bytes])).toEqual(stored)
  expect(tiers.map(({ tier, coveredMs }) => [tier, coveredMs / day])).toEqual([
    ['raw', 1],
    ['minute', 3],
    ['quarter', 3],
    ['day', 3],
  ])
  expect(oldest).toBe(T0)
  // the pages of removed blocks are still in the file
  const sum = tiers.reduce((all, { bytes }) => all + bytes, 0)
  expect(fileBytes).toBeGreaterThan(sum)
})

test('[M 1.3] a change log that fails does not keep samples out of blocks, nor the other way round', () => {
  const { open, file } = aFile()
  const history = open()
  fill(history, T0, T0 + hour)
  const db = new DatabaseSync(file)
  onTestFinished(() => db.close())
  const failing = { ...history, past: { ...history.past, maintain: () => fail('changes') } }
  expect(() => run(failing, T0 + 2 * hour, 0)).toThrow('changes')
  expect(history.sizes().tiers.map(({ tier }) => tier)).toEqual(['raw', 'minute'])
  fill(history, T0 + 2 * hour, T0 + 3 * hour)
  db.exec("CREATE TRIGGER broken BEFORE INSERT ON blocks BEGIN SELECT RAISE(ABORT, 'blocks'); END")
  expect(() => run(failing, T0 + 4 * hour, 2 * hour)).toThrow('changes')
  expect(() => run(history, T0 + 4 * hour, 2 * hour)).toThrow('blocks')
})

test('[M 1.3] a damaged file is reported as one, whatever else fails', () => {
  const history = aFile().open()
  const damage = Object.assign(new Error('malformed'), { errcode: 11 })
  const failing = {
    ...history,
    past: { ...history.past, maintain: () => fail('changes') },
    things: {
      ...history.things,
      prune: () => {
        throw damage
      },
    },
  }
  expect(() => run(failing, T0, 0)).toThrow(damage)
})

const fail = (why: string) => {
  throw new Error(why)
}

test('[M 1.2] the file becomes smaller after lengths were lowered, in small steps', () => {
  const { open, file } = aFile()
  const history = open()
  const things = Array.from({ length: 320 }, (_, n) => n)
  const field = history.opened().fields[0]!.number
  let seed = 1
  const noise = () => (seed = (seed * 48_271) % 2_147_483_647) % 100_000
  for (let at = T0; at < T0 + day; at += minute)
    history.append(at, [{ field, things, values: things.map(noise) }])
  run(history, T0 + day, 0)
  const pages = () => {
    const db = new DatabaseSync(file)
    const [count, free] = ['page_count', 'freelist_count'].map((name) =>
      Number(db.prepare(`PRAGMA ${name}`).get()![name]),
    )
    db.close()
    return { count: count!, free: free! }
  }
  const before = pages()
  const shorter = { ...usualKeepMs, raw: hour, minute: hour }
  const work = maintain(history, { now: T0 + 2 * day, monotonic: day, keepMs: shorter })
  let last = before.count
  let shrunk = 0
  for (const _ of work) {
    const { count } = pages()
    expect(last - count).toBeLessThanOrEqual(256)
    if (count < last) shrunk++
    last = count
  }
  const after = pages()
  expect(after.count).toBeLessThan(before.count / 2)
  expect(after.free).toBeLessThanOrEqual(after.count / 10)
  expect(shrunk).toBeGreaterThan(1)
})

test('[M 1.2] the size of a block is right after its work failed in the middle and began again', () => {
  const { open, file } = aFile()
  const history = open()
  fill(
    history,
    T0,
    T0 + hour,
    Array.from({ length: 96 }, (_, n) => n),
  )
  const db = new DatabaseSync(file)
  onTestFinished(() => db.close())
  db.exec("CREATE TRIGGER broken BEFORE INSERT ON blocks BEGIN SELECT RAISE(ABORT, 'no'); END")
  expect(() => run(history, T0 + 2 * hour, 0)).toThrow('no')
  db.exec('DROP TRIGGER broken')
  run(history, T0 + 2 * hour, 0)
  const { bytes } = db.prepare('SELECT sum(length(body) + 100) AS bytes FROM tiles').get()!
  expect(history.sizes().tiers.reduce((all, one) => all + one.bytes, 0)).toBe(bytes)
})
