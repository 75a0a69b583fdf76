import { aDockerContainer, aGuest, anAlert } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { aLive } from '../../../live/fake-live.ts'
import { asOf } from '../../../parts/alerts/of-then.ts'
import {
  durationText,
  type HistoryRow,
  matches,
  resourceTypeOf,
  statusText,
  toRows,
  typesByName,
} from './row.ts'

const start = '2026-01-01T10:00:00.000Z'
const startedAt = Date.parse(start)

test('[M 3.4] at a moment of the past, what ended later is still going on', () => {
  const at = (minute: number) => new Date(startedAt + minute * 60_000).toISOString()
  const history = [
    { ...anAlert({ id: 'over', startTime: start }), endTime: at(5) },
    { ...anAlert({ id: 'later', startTime: start }), endTime: at(15) },
    anAlert({ id: 'now', startTime: start }),
  ]
  const { ongoing, entries } = asOf(history, startedAt + 10 * 60_000)
  expect(entries.map(({ id }) => id)).toEqual(['over'])
  expect(toRows(ongoing, entries).map(({ alert, status }) => `${alert.id} ${status}`)).toEqual([
    'later active',
    'now active',
    'over resolved',
  ])
  expect(asOf(history, undefined)).toEqual({ ongoing: [], entries: history })
})

describe('[spec 3 §3] the status of a row', () => {
  test('what fires now is active, and stands there once', () => {
    const alert = anAlert({ startTime: start })
    const rows = toRows([alert], [alert])
    expect(rows.map(({ status }) => status)).toEqual(['active'])
  })

  test('an earlier time of what fires now is a row of its own', () => {
    const earlier = anAlert({ startTime: '2026-01-01T08:00:00.000Z' })
    const rows = toRows([anAlert({ startTime: start })], [earlier])
    expect(rows.map(({ status }) => status)).toEqual(['active', 'resolved'])
  })

  test('what is over was acknowledged, or is resolved', () => {
    const rows = toRows([], [anAlert({ id: 'a', acknowledged: true }), anAlert({ id: 'b' })])
    expect(rows.map(({ status }) => status)).toEqual(['acknowledged', 'resolved'])
  })
})

test.each([
  ['condition', 'Resolved'],
  ['unwatched', 'No longer watched'],
  ['gone', 'No longer there'],
  ['cleared', 'Cleared'],
  [undefined, 'Resolved'],
] as const)('what ended by %s reads %s, in the words of a message', (endReason, text) => {
  const [row] = toRows([], [anAlert(endReason ? { endReason } : {})])
  expect(statusText(row!)).toBe(text)
})

test('what was acknowledged stays Acknowledged, however it ended', () => {
  const [row] = toRows([], [anAlert({ acknowledged: true, endReason: 'gone' })])
  expect(statusText(row!)).toBe('Acknowledged')
})

const lasting = (ms: number): HistoryRow => ({
  key: 'k',
  alert: anAlert(),
  level: 'warning',
  status: 'resolved',
  startedAt,
  lastedMs: ms,
})

test.each([
  [0, '0m'],
  [59_000, '0m'],
  [5 * 60_000, '5m'],
  [3 * 3_600_000 + 5 * 60_000, '3h 5m'],
  [51 * 3_600_000, '2d 3h'],
])('[spec 3 §9] a duration of %i ms reads %s', (ms, text) => {
  expect(durationText(lasting(ms), startedAt)).toBe(text)
})

test('one that is not over lasts until now', () => {
  const { lastedMs: _over, ...row } = lasting(0)
  expect(durationText(row, startedAt + 120_000)).toBe('2m')
})

test('a row ends when the server says so, else when it was last seen', () => {
  const ended = {
    ...anAlert({ startTime: start, lastSeen: '2026-01-01T10:30:00Z' }),
    endTime: '2026-01-01T10:40:00Z',
  }
  expect(durationText(toRows([], [ended])[0]!, 0)).toBe('40m')
  expect(durationText(toRows([], [{ ...ended, endTime: undefined }])[0]!, 0)).toBe('30m')
})

test('[R20] how long it lasted is what the server counted, whatever the dates say', () => {
  const ended = { ...anAlert({ startTime: start }), endTime: '2026-01-01T09:00:00Z', duration: 2_400 }
  expect(durationText(toRows([], [ended])[0]!, 0)).toBe('40m')
})

test.each(['WEB', 'too high', 'cpu', 'pve1', '  '])(
  '[spec 3 §5] the search %j finds it by name, message, type or node',
  (search) => {
    const alert = anAlert({ resourceName: 'web', message: 'CPU is too high', type: 'cpu', node: 'pve1' })
    expect(matches({ alert }, search)).toBe(true)
    expect(matches({ alert }, 'other')).toBe(false)
  },
)

test('[spec 3 §3] the type of a resource: from the metadata, else by name, else Unknown', () => {
  const live = aLive({
    guests: { a: aGuest({ name: 'web' }), b: aGuest({ name: 'mail', type: 'lxc' }) },
    dockerContainers: { c: aDockerContainer({ name: 'cache' }) },
  })
  const named = typesByName(live.store)
  const typeOf = (change: Parameters<typeof anAlert>[0]) => resourceTypeOf(anAlert(change), named)
  expect(typeOf({ resourceName: 'web', metadata: { resourceType: 'Node' } })).toBe('Node')
  expect(typeOf({ resourceName: 'web', metadata: {} })).toBe('VM')
  expect(typeOf({ resourceName: 'mail', metadata: {} })).toBe('CT')
  expect(typeOf({ resourceName: 'cache', metadata: {} })).toBe('Docker Container')
  expect(typeOf({ resourceName: 'gone', metadata: {} })).toBe('Unknown')
})

test('a search finds alerts by the site of their source', () => {
  const far = { alert: anAlert({ resourceName: 'web', site: 'Berlin' }) }
  const near = { alert: anAlert({ resourceName: 'web' }) }
  const found = (search: string) => [far, near].map((row) => matches(row, search))
  expect(found('site:berlin')).toEqual([true, false])
  expect(found('site:main')).toEqual([false, true])
  expect(found('web site:ber')).toEqual([true, false])
  expect(found('db site:ber')).toEqual([false, false])
})
