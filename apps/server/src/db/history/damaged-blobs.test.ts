import { usualKeepMs } from '@pulse/domain'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openHistoryFile } from './history-file.ts'
import { maintain } from './maintain.ts'
import type { PastResult } from './past-messages.ts'

const T0 = Date.UTC(2026, 0, 5)
const minute = 60_000
const day = 24 * 60 * minute

function given() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-history-'))
  const file = path.join(folder, 'history.db')
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  const open = () => openHistoryFile(file, [{ kind: 'guests', name: 'cpu' }], 0)
  /** Samples and changes of so many minutes, moved into blocks and bases. */
  function fill(from: number, minutes: number, name: string) {
    const history = open()
    const field = history.opened().fields[0]!.number
    const [thing] = history.things.identify(
      from,
      [],
      [{ kind: 'guests', id: 'main:100', alias: 'prod:100', mark: 'web' }],
    )
    let written
    for (let at = from; at < from + minutes * minute; at += 5 * minute) {
      written = history.append(at, [{ field, things: [thing!], values: [at % 997] }])
      const fields = { name: `${name} ${at}`, type: 'qemu', source: 'main' }
      history.past.answer({
        id: 0,
        do: 'log',
        now: at,
        entries: [{ at, kind: 'guests', id: 'main:100', do: 'put', fields }],
      })
    }
    const now = from + minutes * minute
    for (const monotonic of [from, now])
      for (const _ of maintain(history, { now, monotonic, keepMs: usualKeepMs }));
    const series = history.store.samples(field, [thing!], from, now)[0]!.length
    const query = { at: now, slice: 'live', tier: 'raw', gzip: false } as const
    const state = history.past.answer({ id: 0, do: 'state', query }) as Extract<PastResult, { do: 'state' }>
    const changes = { from: T0, to: now, most: 10 }
    for (const _ of history.past.changes({ id: 0, do: 'changes', query: changes, isCounted: true }));
    history.close()
    return { series, unreadable: written!.unreadable, state: Buffer.from(state.body!).toString() }
  }
  function damage(table: string, column: string) {
    const db = new DatabaseSync(file)
    const value = column === 'body' && table === 'latest_records' ? `substr(body, 3)` : `x'28b52ffd00'`
    expect(db.prepare(`UPDATE ${table} SET ${column} = ${value}`).run().changes).toBeGreaterThan(0)
    db.close()
  }
  return { fill, damage }
}

test.each([
  ['segments', 'body'],
  ['tiles', 'body'],
  ['blocks', 'times'],
  ['changes', 'body'],
  ['changes', 'notices'],
  ['base_chunks', 'body'],
  ['latest_records', 'body'],
])('[M 1.3] what the disk has changed in %s.%s is lost, and all else goes on', (table, column) => {
  const { fill, damage } = given()
  fill(T0, 26 * 60 + 30, 'web')
  damage(table, column)
  expect(fill(T0 + 2 * day, 26 * 60, 'later').series).toBe((24 * 60) / 5)
  // a base is whole with the next day
  expect(fill(T0 + 4 * day, 30, 'last').state).toContain(`last ${T0 + 4 * day + 25 * minute}`)
})

test('[M 1.3] what cannot be read is counted', () => {
  const { fill, damage } = given()
  fill(T0, 30, 'web')
  damage('segments', 'body')
  expect(fill(T0 + day, 30, 'later').unreadable).toBeGreaterThan(0)
})
