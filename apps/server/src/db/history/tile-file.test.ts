import { HistoryStore, precisionOf } from '@pulse/domain'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openTileFile } from './tile-file.ts'

const T0 = Date.UTC(2026, 0, 5)
const minute = 60_000
const day = 1_440 * minute

function aFile() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-history-'))
  const open: DatabaseSync[] = []
  onTestFinished(() => {
    for (const db of open) if (db.isOpen) db.close()
    fs.rmSync(folder, { recursive: true, force: true })
  })
  return () => {
    const db = new DatabaseSync(path.join(folder, 'history.db'))
    open.push(db)
    return {
      db,
      store: new HistoryStore({ storage: openTileFile(db), precision: () => precisionOf.percent }),
    }
  }
}

/** Two days of two things, a sample every five minutes. */
function fill(store: HistoryStore) {
  for (let n = 0; n < 576; n++)
    store.append(T0 + n * 5 * minute, [{ field: 7, things: [3, 40], values: [n, 1_000 - n] }])
}

test('[design 14] what was compacted and what was not is there after the file was closed and opened', () => {
  const open = aFile()
  const { store, db } = open()
  fill(store)
  for (const _ of store.compact(T0 + 2 * day - 1));
  store.flush()
  const answers = (one: HistoryStore) => [
    one.samples(7, [40], T0, T0 + 3 * day)[0]!,
    one.buckets('minute', 7, [3], T0, T0 + 3 * day)[0]!,
    one.buckets('quarter', 7, [40], T0, T0 + 3 * day)[0]!,
    one.buckets('day', 7, [3], T0, T0 + 3 * day)[0]!,
  ]
  const before = answers(store)
  expect(before.map(({ length }) => length)).toEqual([576, 576, 192, 2])
  db.close()
  expect(answers(open().store)).toEqual(before)
})

test('a block that is dropped in steps is gone with its last tile, also over a restart in between', () => {
  const open = aFile()
  const { db } = open()
  const storage = openTileFile(db)
  const block = { tier: 'raw', start: T0, part: 0 } as const
  for (let group = 0; group < 5; group++)
    storage.putTile({ ...block, field: 1, group }, new Uint8Array([group]))
  storage.finish({ blocks: [{ ...block, times: [T0] }] })
  expect(storage.drop(block, 2)).toBe(false)
  expect(storage.groups({ ...block, field: 1 })).toHaveLength(3)
  db.close()
  const again = openTileFile(open().db)
  expect(again.blocks()).toEqual([{ ...block, times: [T0] }])
  expect(again.drop(block, 10)).toBe(true)
  expect([again.blocks(), again.fields(block)]).toEqual([[], []])
})

test('[M 1.5] samples of a busy estate take at most 1.5 bytes each on disk', () => {
  const { store, db } = aFile()()
  const things = Array.from({ length: 250 }, (_, n) => n)
  let seed = 1
  const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
  const loads = things.map(() => 1_000 * random())
  let samples = 0
  for (let n = 0; n < 720; n++) {
    for (const thing of things) loads[thing] = Math.max(0, loads[thing]! + 60 * (random() - 0.5))
    store.append(T0 + n * 10_000, [{ field: 1, things, values: loads.map(Math.round) }])
    samples += things.length
  }
  for (const _ of store.compact(T0 + day));
  const bytes = db.prepare('SELECT sum(length(body)) AS bytes FROM tiles WHERE tier = 0').get()!['bytes']
  expect(Number(bytes) / samples).toBeLessThanOrEqual(1.5)
})
