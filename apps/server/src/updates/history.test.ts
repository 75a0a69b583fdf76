import type { UpdateHistoryEntry } from '@pulse/contract'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keptLog } from './fixtures-releases.ts'
import { openHistory } from './history.ts'

let dataDir: string
let file: string
beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-data-'))
  fs.mkdirSync(path.join(dataDir, 'update'))
  file = path.join(dataDir, 'update/history.jsonl')
})
afterEach(() => fs.rmSync(dataDir, { recursive: true }))

const anEntry = (event_id: string): UpdateHistoryEntry => ({
  event_id,
  timestamp: '2026-01-01T12:00:00.000Z',
  action: 'update',
  channel: 'stable',
  version_from: '1.0.0',
  version_to: '1.2.0',
  deployment_type: 'systemd',
  initiated_by: 'user',
  initiated_via: 'ui',
  status: 'in_progress',
  duration_ms: 0,
})

test('what happened is there after a restart, newest first', () => {
  const { log, lines } = keptLog()
  const history = openHistory(dataDir, log)
  for (const id of ['one', 'two', 'three']) history.add(anEntry(id))
  history.change('two', { status: 'success', duration_ms: 7 })
  const again = openHistory(dataDir, log)
  expect(again.list().map(({ event_id }) => event_id)).toEqual(['three', 'two', 'one'])
  expect(again.find('two')).toEqual({ ...anEntry('two'), status: 'success', duration_ms: 7 })
  expect(again.find('four')).toBeUndefined()
  expect(lines).toEqual([])
  expect(fs.statSync(file).mode & 0o777).toBe(0o600)
})

test('[facts/platform 12.4] the newest hundred are kept', () => {
  const lines = Array.from({ length: 102 }, (_, i) => JSON.stringify(anEntry(`${i}`)))
  fs.writeFileSync(file, lines.join('\n'))
  const ids = () => history.list().map(({ event_id }) => event_id)
  let history = openHistory(dataDir, keptLog().log)
  expect([ids().length, ids()[0], ids().at(-1)]).toEqual([100, '101', '2'])
  history.add(anEntry('102'))
  expect([ids().length, ids()[0], ids().at(-1)]).toEqual([100, '102', '3'])
  history = openHistory(dataDir, keptLog().log)
  expect([ids().length, ids()[0], ids().at(-1)]).toEqual([100, '102', '3'])
})

describe('rubbish keeps nothing from starting', () => {
  test('lines that are none are left out, and said', () => {
    const good = [anEntry('one'), anEntry('two')].map((entry) => JSON.stringify(entry))
    const bad = ['{"event_id":', 'null', '7', '{}', JSON.stringify({ ...anEntry('x'), status: 'odd' }), '\0']
    fs.writeFileSync(file, [good[0], ...bad, good[1]].join('\n'))
    const { log, lines } = keptLog()
    const history = openHistory(dataDir, log)
    expect(history.list().map(({ event_id }) => event_id)).toEqual(['two', 'one'])
    expect(lines).toEqual([`6 lines of the history of updates (${file}) cannot be read; they are skipped.`])
    history.add(anEntry('three'))
    expect(openHistory(dataDir, log).list()).toHaveLength(3)
    expect(lines).toHaveLength(1)
  })

  test.each([
    ['a folder', () => fs.mkdirSync(file)],
    ['a link to nowhere', () => fs.symlinkSync('nowhere', file)],
    ['an endless file', () => fs.writeFileSync(file, Buffer.alloc(5 * 1024 * 1024))],
  ])('%s in its place', (_what, put) => {
    put()
    expect(openHistory(dataDir, keptLog().log).list()).toEqual([])
  })

  test('a link to a device is not read without end', () => {
    fs.symlinkSync('/dev/zero', file)
    const { log, lines } = keptLog()
    expect(openHistory(dataDir, log).list()).toEqual([])
    expect(lines).toEqual([
      `The history of updates (${file}) cannot be read: it is not a file, or it is too large`,
    ])
  })
})
