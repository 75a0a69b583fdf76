import { type ChangeEntry, ChangeLog } from '@pulse/domain'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openChangeFile } from './change-file.ts'

const T0 = Date.UTC(2026, 0, 5)
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

function aFile() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-changes-'))
  const open: DatabaseSync[] = []
  onTestFinished(() => {
    for (const db of open) if (db.isOpen) db.close()
    fs.rmSync(folder, { recursive: true, force: true })
  })
  return () => {
    const db = new DatabaseSync(path.join(folder, 'history.db'))
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    open.push(db)
    return { db, log: new ChangeLog(openChangeFile(db)) }
  }
}

const put = (at: number, id: string, name: string): ChangeEntry => ({
  at,
  kind: 'guests',
  id,
  do: 'put',
  fields: { name, node: 'pve1', source: 'main' },
})
const namesAt = (log: ChangeLog, at: number) =>
  Object.fromEntries([...log.at(at)!.of('guests')].map(([id, { name }]) => [id, name]))
const rowsOf = (db: DatabaseSync, table: string) =>
  Number(db.prepare(`SELECT count(*) AS rows FROM ${table}`).get()!['rows'])
const highestRow = (db: DatabaseSync) => Number(db.prepare('SELECT max(id) AS id FROM changes').get()!['id'])

test('[M 3.4] rows, bases and what is latest are there after the file was closed and opened', () => {
  const open = aFile()
  const { log, db } = open()
  for (let n = 0; n < 50; n++) {
    const at = T0 + n * hour
    log.append([put(at, 'main:100', `web${n}`), put(at, `main:${200 + n}`, 'other')], at)
    log.flush()
    for (const _ of log.maintain(at, at, 14 * day));
  }
  const answers = (one: ChangeLog) => [0, 10, 23, 24, 25, 49].map((n) => namesAt(one, T0 + n * hour))
  const before = answers(log)
  expect(before.map((names) => names['main:100'])).toEqual([
    'web0',
    'web10',
    'web23',
    'web24',
    'web25',
    'web49',
  ])
  expect(before.map((names) => Object.keys(names).length)).toEqual([2, 12, 25, 26, 27, 51])
  expect(rowsOf(db, 'bases')).toBe(3)
  db.close()
  expect(answers(open().log)).toEqual(before)
})

test('[M 1.3] what is too old is removed, and row numbers are not used again', () => {
  const open = aFile()
  const { log, db } = open()
  const end = T0 + 20 * day
  for (let at = T0; at < end; at += 6 * hour) {
    log.append([put(at, 'main:100', `web${at}`)], at)
    log.flush()
    for (const _ of log.maintain(at, at, 2 * day));
  }
  expect(rowsOf(db, 'changes')).toBeLessThanOrEqual(4 * 4)
  expect(rowsOf(db, 'bases')).toBeLessThanOrEqual(5)
  expect(rowsOf(db, 'base_chunks')).toBeLessThanOrEqual(5)
  expect(namesAt(log, end - 2 * day)).toEqual({ 'main:100': `web${end - 2 * day}` })
  expect(log.at(T0 + 5 * day)).toBeUndefined()
  const lastRow = highestRow(db)
  for (const later of [9, 12]) for (const _ of log.maintain(end + later * day, end + later * day, 2 * day));
  expect(rowsOf(db, 'changes')).toBe(0)
  db.close()
  const again = open()
  again.log.append([put(end + 12 * day, 'main:100', 'last')], end + 12 * day)
  again.log.flush()
  expect(highestRow(again.db)).toBeGreaterThan(lastRow)
  expect(namesAt(again.log, end + 12 * day)).toEqual({ 'main:100': 'last' })
})

test('[M 4] short-lived containers of a day take little space, and what is gone leaves nothing to read', () => {
  const { log, db } = aFile()()
  const fields = (n: number) => ({
    id: `container-${n}`,
    host: 'host',
    name: `job-${n}`,
    image: 'registry.example/team/job:1.2.3',
    state: 'running',
    status: 'Up 20 seconds',
    labels: { 'com.docker.compose.project': 'jobs', 'com.docker.compose.service': 'job' },
    source: 'host',
  })
  const source = { kind: 'sources', id: 'host', do: 'put', fields: { name: 'host' } } as const
  log.append([{ ...source, at: T0 - hour }], T0 - hour)
  const count = 20_000
  const gapMs = day / 100_000
  let longest = 0
  for (let n = 0; n < count; n++) {
    const at = Math.round(T0 + n * gapMs)
    const place = { at, kind: 'dockerContainers', id: `host:job-${n}` } as const
    log.append([{ ...place, do: 'put', fields: fields(n) }], at)
    const old = { at, kind: 'dockerContainers', id: `host:job-${n - 50}`, do: 'remove' } as const
    log.append([old], at)
    if (n % 70 === 0) for (const _ of log.maintain(at, at, 14 * day));
    if (n % 2_000 === 0) longest = Math.max(longest, [...log.at(at)!.of('dockerContainers')].length)
  }
  log.flush()
  expect(longest).toBeLessThanOrEqual(51)
  const { bytes } = db.prepare('SELECT sum(length(body) + length(notices)) AS bytes FROM changes').get()!
  // 100,000 of them take 15 MB a day at most
  expect(Number(bytes) / count).toBeLessThanOrEqual(150)
  expect(rowsOf(db, 'latest_records')).toBeLessThanOrEqual(52)
})
