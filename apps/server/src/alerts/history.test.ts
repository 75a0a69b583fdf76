import { type Alert, type Guest, historyLimits } from '@pulse/contract'
import { createEstate } from '@pulse/domain'
import { aGuest, anAlert } from '@pulse/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aGround, type Ground } from '../auth/fixtures.ts'
import { type AlertStore, alertStore } from '../db/alerts.ts'
import { aChange, DAY_MS, HOUR_MS, MINUTE_MS } from './fixtures.ts'
import { type AlertHistory, createAlertHistory, chunkRows } from './history.ts'
import { toHistoryRow } from './rows.ts'

let ground: Ground
let store: AlertStore
let history: AlertHistory
let asked: number[]
const active = new Map<string, Alert>()
const tables = { ...createEstate().tables, guests: new Map<string, Guest>() }

beforeAll(async () => {
  ground = await aGround()
})
afterAll(() => ground.end())
beforeEach(async () => {
  await ground.clear()
  active.clear()
  asked = []
  store = alertStore(ground.db)
  await store.clearHistory()
  const watched: AlertStore = {
    ...store,
    history: async (filter, page) => {
      const rows = await store.history(filter, page)
      asked.push(rows.length)
      return rows
    },
  }
  history = createAlertHistory({ ...ground, store: watched, tables, active: () => active })
})

const now = () => ground.clock.now()
const iso = (ms: number) => new Date(ms).toISOString()
const raised = (change: Partial<Alert>, agoMs: number, rest: Parameters<typeof aChange>[1] = {}) =>
  aChange({ startTime: iso(now() - agoMs), ...change }, rest)
const write = (...changes: ReturnType<typeof aChange>[]) =>
  store.write({ alerts: [], history: changes.map(toHistoryRow) })

async function find(query: Parameters<AlertHistory['find']>[0] = {}) {
  const found = []
  for await (const chunk of await history.find(query)) found.push(...chunk)
  return found
}
const idsOf = async (query: Parameters<AlertHistory['find']>[0] = {}) =>
  (await find(query)).map(({ id }) => id)
const refused = (query: Parameters<AlertHistory['find']>[0]) =>
  expect(history.find(query)).rejects.toMatchObject({ code: 'validation_failed' })

test('[R1] an ended episode has time and reason of its end; an open one has none', async () => {
  const end = { endReason: 'unwatched', endNote: 'Its threshold is now 99.' } as const
  const over = raised({ id: 'over', ...end }, HOUR_MS, { what: 'resolved', ending: 'off', at: now() })
  const open = raised({ id: 'open' }, HOUR_MS)
  await write(over, open)
  const ends = await store.endsOf([over, open].map(({ stored }) => stored.episode))
  expect([...ends]).toEqual([
    [over.stored.episode, { at: now(), reason: 'unwatched', note: 'Its threshold is now 99.' }],
  ])
})

describe('[facts/alerts 8] a query', () => {
  beforeEach(() =>
    write(
      raised({ id: 'd', level: 'critical' }, 4 * HOUR_MS, { record: 'pve-1:9' }),
      raised({ id: 'c', level: 'warning', resourceId: 'a/b' }, 3 * HOUR_MS),
      raised({ id: 'b', level: 'critical' }, 2 * HOUR_MS),
      raised({ id: 'a', level: 'warning' }, HOUR_MS),
    ),
  )

  test.each([
    [{}, ['a', 'b', 'c', 'd']],
    [{ limit: '2' }, ['a', 'b']],
    [{ limit: '2', offset: '1' }, ['b', 'c']],
    [{ limit: 'many', offset: 'x' }, ['a', 'b', 'c', 'd']],
    [{ limit: '0' }, ['a', 'b', 'c', 'd']],
    [{ severity: 'critical' }, ['b', 'd']],
    [{ severity: 'warning', limit: '1' }, ['a']],
    [{ severity: 'critical', limit: '1', offset: '1' }, ['d']],
    [{ severity: 'loud' }, ['a', 'b', 'c', 'd']],
    [{ resourceId: 'a/b' }, ['c']],
    [{ resourceId: 'guest:pve-1:9' }, ['d']],
    [{ resourceId: 'a' }, []],
  ])('%j finds first and pages then: %j', async (query, ids) => expect(await idsOf(query)).toEqual(ids))

  test.each([
    [{}, 4],
    [{ limit: '1', offset: '1' }, 4],
    [{ severity: 'critical' }, 2],
    [{ resourceId: 'guest:pve-1:9' }, 1],
  ])('%j is counted as it is found, without its page: %j', async (query, count) =>
    expect(await history.count(query)).toBe(count),
  )

  test('counts exactly, far beyond one page', async () => {
    const at = iso(now() - HOUR_MS / 2)
    await write(...Array.from({ length: 2_500 }, (_, n) => aChange({ id: `many ${n}`, startTime: at })))
    expect(await history.count({ startTime: iso(now() - HOUR_MS) })).toBe(2_501)
  })

  test('by time, both ends included', async () => {
    const [from, to] = [iso(now() - 3 * HOUR_MS), iso(now() - 2 * HOUR_MS)]
    expect(await idsOf({ startTime: from, endTime: to })).toEqual(['b', 'c'])
    expect(await idsOf({ startTime: from })).toEqual(['a', 'b', 'c'])
    expect(await idsOf({ endTime: to })).toEqual(['b', 'c', 'd'])
  })

  test.each([
    [{ limit: '-1' }],
    [{ offset: '-1' }],
    [{ startTime: 'yesterday' }],
    [{ endTime: '2026-13-01T00:00:00Z' }],
    [{ startTime: '2026-01-02T00:00:00Z', endTime: '2026-01-01T00:00:00Z' }],
  ])('%j is refused', (query) => refused(query))

  test('a migrated guest is found by its current name', async () => {
    tables.guests.set('pve-1:9', aGuest({ id: 'main-pve2-9' }))
    expect(await idsOf({ resourceId: 'main-pve2-9' })).toEqual(['d'])
    tables.guests.clear()
  })
})

test('without a limit all rows come in chunks, each once, also when many began together', async () => {
  const at = now() - HOUR_MS
  const many = Array.from({ length: 2 * chunkRows + 10 }, (_, n) =>
    aChange({ id: `a${n}`, startTime: iso(at) }),
  )
  await write(...many)
  const ids = await idsOf({ limit: '0' })
  expect(new Set(ids).size).toBe(many.length)
  expect(asked).toEqual([chunkRows, chunkRows, 10, 0])
  expect(await idsOf()).toHaveLength(historyLimits.usual)
  expect(await idsOf({ limit: '700' })).toHaveLength(700)
})

describe('[spec 3 §3] an entry', () => {
  const start = () => ({ id: 'x', startTime: iso(now() - HOUR_MS) })

  test('is open while the alert lasts, and shows its current state', async () => {
    await write(aChange({ ...start(), value: 81 }))
    const live = anAlert({ ...start(), value: 99, lastSeen: iso(now() - MINUTE_MS), level: 'critical' })
    active.set('x', live)
    expect(await find()).toEqual([{ ...live, status: 'active', peakLevel: 'critical', duration: 59 * 60 }])
  })

  test('ends with its alert, with a duration that no change of the clock alters', async () => {
    const change = aChange(start())
    await write(change)
    await write({ ...change, what: 'resolved', ending: 'value', at: now(), durationMs: 30 * MINUTE_MS })
    expect(await find()).toMatchObject([{ status: 'resolved', endTime: iso(now()), duration: 30 * 60 }])
  })

  test('is acknowledged when its alert is', async () => {
    const change = aChange({ ...start(), acknowledged: true, ackUser: 'anna' })
    await write({ ...change, what: 'resolved', ending: 'value', at: now() })
    expect(await find()).toMatchObject([{ status: 'acknowledged', ackUser: 'anna', duration: 3600 }])
  })

  test('keeps the highest level it had', async () => {
    const { stored, ...change } = aChange({ ...start(), level: 'critical' })
    const low = { ...stored, alert: { ...stored.alert, level: 'warning' } }
    await write({ ...change, stored })
    await write({ ...change, what: 'leveled', stored: low })
    await write({ ...change, what: 'resolved', ending: 'value', stored: low, at: now() })
    expect(await find()).toMatchObject([{ level: 'warning', peakLevel: 'critical' }])
  })

  test('[facts/alerts 12.17] an alert that recurs within minutes is one entry', async () => {
    const change = aChange(start())
    await write(change)
    await write({ ...change, what: 'resolved', ending: 'value', at: now() - MINUTE_MS })
    await write({ ...change, what: 'reopened', at: now() })
    const [entry, ...others] = await find()
    expect(others).toEqual([])
    expect(entry).toMatchObject({ status: 'active' })
    expect(entry).not.toHaveProperty('endTime')
  })
})

test.each(['{', 'null', '[]', '{"startTime":"yesterday"}'])(
  '[R11] an entry that cannot be read (%s) keeps none of the others back',
  async (alert) => {
    await write(raised({ id: 'a' }, 3), raised({ id: 'b' }, 2), raised({ id: 'c' }, 1))
    await ground.db.query.updateTable('alert_history').set({ alert }).where('alert_id', '=', 'b').execute()
    expect(await idsOf({ limit: '0' })).toEqual(['c', 'a'])
    expect(ground.lines.some(({ episode }) => episode === 'of b')).toBe(true)
  },
)

describe('[facts/alerts 7] retention', () => {
  test('30 days after its end an entry is deleted; an open one stays', async () => {
    const ended = (id: string, agoMs: number) =>
      raised({ id }, agoMs + DAY_MS, { what: 'resolved', ending: 'value', at: now() - agoMs })
    await write(
      ended('gone', 30 * DAY_MS + 1),
      ended('kept', 30 * DAY_MS - HOUR_MS),
      raised({ id: 'lasts' }, 90 * DAY_MS),
    )
    history.start()
    await expect.poll(() => idsOf()).toEqual(['kept', 'lasts'])
    await ground.clock.advance(DAY_MS)
    await expect.poll(() => idsOf()).toEqual(['lasts'])
    history.stop()
  })

  test('beyond the limit the oldest are deleted', async () => {
    await write(raised({ id: 'b' }, 2), raised({ id: 'a' }, 1), raised({ id: 'c' }, 3))
    await store.trimHistory(0, 2)
    expect(await idsOf()).toEqual(['a', 'b'])
  })

  test('it can be cleared', async () => {
    await write(raised({ id: 'a' }, 1))
    expect(await history.count()).toBe(1)
    await history.clear()
    expect(await idsOf()).toEqual([])
  })
})
