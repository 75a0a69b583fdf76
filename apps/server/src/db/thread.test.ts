import { fakeClock } from '@pulse/testkit'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DatabaseError, ThreadEnded } from '../database-error.ts'
import { watchThreads } from '../testing/threads.ts'
import { type DatabaseEvent, openDatabase } from './open.ts'
import { within } from '../../../../scripts/test-limits.ts'

let dir: string
let db: ReturnType<typeof openDatabase>['maintenance']
let events: DatabaseEvent[]
let kill: () => void
const clock = fakeClock()

beforeEach(async () => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-thread-'))
  events = []
  kill = watchThreads()
  db = openDatabase(
    { file: path.join(dir, 'a.db'), synchronous: 'FULL' },
    { clock, onEvent: (event) => events.push(event) },
  ).maintenance
  await sql('CREATE TABLE a (x)')
})
afterEach(async () => {
  await db.close()
  fs.rmSync(dir, { recursive: true })
})

const sql = (text: string) => db.run([{ sql: text, parameters: [] }])

describe('a database thread that dies', () => {
  test('is replaced: what it was asked is refused as unknown, what comes later is answered, and both are reported once', async () => {
    // runs long enough that the thread dies first
    const long =
      'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 2000000) SELECT max(x) FROM n'
    const underWay = [sql(long), sql('INSERT INTO a VALUES (1)')]
    kill()
    for (const result of await Promise.allSettled(underWay)) {
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(ThreadEnded) })
    }
    await sql('INSERT INTO a VALUES (2)')
    expect((await sql('SELECT max(x) AS x FROM a'))[0]!.rows).toEqual([{ x: 2 }])
    expect(events).toEqual([{ thread: 'ended', why: expect.any(String) }, { thread: 'back' }])
  })

  test('again and again, is replaced after pauses, and calls are refused at once meanwhile', async () => {
    for (let death = 1; death <= 3; death++) {
      kill()
      await expect(sql('SELECT 1')).rejects.toBeInstanceOf(ThreadEnded)
      if (death > 1) {
        await expect(sql('SELECT 1')).rejects.toBeInstanceOf(ThreadEnded)
        await clock.advance(500 * 2 ** (death - 1))
      }
      await sql(`INSERT INTO a VALUES (${death})`)
    }
    expect(events.filter((event) => 'thread' in event && event.thread === 'back')).toHaveLength(3)
  })
})

test('[R7] a file that another program holds is reported as one that cannot be written, until it can', async () => {
  const other = new DatabaseSync(path.join(dir, 'a.db'))
  await sql('CREATE TABLE meta (key PRIMARY KEY, value)')
  other.exec('BEGIN IMMEDIATE')
  await expect(sql('INSERT INTO a VALUES (1)')).rejects.toMatchObject({ isDiskError: true })
  expect(events).toEqual([{ storage: 'failing', why: expect.stringContaining('locked') }])
  other.exec('ROLLBACK')
  other.close()
  await clock.advance(5_000)
  await vi.waitFor(() => expect(events.at(-1)).toEqual({ storage: 'well' }), within(30_000))
})

test('[R10] a disk that has room for one page and no more is full until it has room for a usual write', async () => {
  await sql('CREATE TABLE meta (key PRIMARY KEY, value)')
  await sql("INSERT INTO meta VALUES ('a', '1')")
  await sql('PRAGMA max_page_count = 5')
  await expect(sql('INSERT INTO a VALUES (zeroblob(100000))')).rejects.toMatchObject({ isDiskFull: true })
  for (let looks = 0; looks < 5; looks++) {
    await clock.advance(5_000)
    await sql('SELECT 1')
  }
  expect(events).toEqual([{ storage: 'failing', why: 'the disk is full' }])
  // a small write that happens to succeed does not mean that the disk has space
  await sql("UPDATE meta SET value = '2'")
  expect(events).toHaveLength(1)
  await sql('PRAGMA max_page_count = 100000')
  await clock.advance(5_000)
  await vi.waitFor(() => expect(events.at(-1)).toEqual({ storage: 'well' }), within(30_000))
  expect((await sql('SELECT key FROM meta'))[0]!.rows).toEqual([{ key: 'a' }])
})

test('a file that cannot be opened at all is said so, not tried for ever', async () => {
  const other = openDatabase(
    { file: path.join(dir, 'no', 'such', 'folder.db'), synchronous: 'FULL' },
    { clock, onEvent: (event) => events.push(event) },
  ).maintenance
  const failure = await other.run([{ sql: 'SELECT 1', parameters: [] }]).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(DatabaseError)
  expect(failure).not.toBeInstanceOf(ThreadEnded)
  expect(events).toEqual([])
})
