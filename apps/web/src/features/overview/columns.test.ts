import { aGuest } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { rerenderedColumns } from '../../parts/table/fixtures-rerendered-columns.ts'
import { type GuestColumn, guestColumns, type GuestLine, narrowGuestColumns } from './columns.tsx'
import { diskPercent, typeLabel, viewGuest } from '../../parts/guests/guest-view.ts'
import { narrowTracks } from '../../parts/nodes/machine-tracks.ts'

const column = (id: string) => guestColumns.find((one) => one.id === id)!

test('[spec 1 §2] the guest table has these columns, in this order', () => {
  expect(guestColumns.map(({ header }) => header)).toEqual([
    'Name',
    'Type',
    'VMID',
    'Uptime',
    'CPU',
    'Memory',
    'Disk',
    'Disk Read',
    'Disk Write',
    'Net In',
    'Net Out',
  ])
})

test.each([
  ['name', 'asc'],
  ['type', 'asc'],
  ['vmid', 'asc'],
  ['uptime', 'desc'],
  ['cpu', 'desc'],
  ['memory', 'desc'],
  ['disk', 'desc'],
  ['diskRead', 'desc'],
  ['diskWrite', 'desc'],
  ['networkIn', 'desc'],
  ['networkOut', 'desc'],
])('[spec 1 §4] %s starts %s', (id, first) => {
  expect(column(id).firstDirection).toBe(first)
})

test('[spec 1 §2] the type is shown as VM or LXC', () => {
  expect([typeLabel(aGuest({ type: 'qemu' })), typeLabel(aGuest({ type: 'lxc' }))]).toEqual(['VM', 'LXC'])
})

describe('values to sort by', () => {
  test('[spec 1 §4] a guest that is not running has no figures', () => {
    const guest = aGuest({ cpu: 0.4, diskRead: 5 })
    for (const id of [
      'uptime',
      'cpu',
      'memory',
      'disk',
      'diskRead',
      'diskWrite',
      'networkIn',
      'networkOut',
    ]) {
      expect(column(id).value(guest, false), id).toBeUndefined()
      expect(column(id).value(guest, true), id).toBeDefined()
    }
  })

  test('who started earlier is up longer', () => {
    const early = column('uptime').value(aGuest({ startedAt: 1_000 }), true)!
    const late = column('uptime').value(aGuest({ startedAt: 2_000 }), true)!
    expect(Number(early)).toBeGreaterThan(Number(late))
  })
})

test.each([
  { disk: undefined, percent: undefined },
  { disk: { total: 100 }, percent: undefined },
  { disk: { total: 0, used: 0, usage: 0 }, percent: undefined },
  { disk: { total: 100, used: 40, usage: 40 }, percent: 40 },
  { disk: { total: 100, used: 140, usage: 140 }, percent: 100 },
  { disk: { total: 100, used: 0, usage: -3 }, percent: 0 },
])(
  '[spec 1 §5] the disk percent of $disk is $percent: clamped to 0-100, unknown is not zero',
  ({ disk, percent }) => {
    expect(diskPercent({ disk })).toBe(percent)
  },
)

const least = (columns: readonly GuestColumn[]) =>
  columns.reduce((sum, { track }) => sum + 16 * Number(/[\d.]+(?=rem)/.exec(track)![0]), 0)

test('[spec 1 §9] the columns fit the least width of the table', () => {
  expect(least(guestColumns)).toBeLessThanOrEqual(900)
})

test('in a narrow window rates make room for names and bars, in a table of 760 px', () => {
  const rates = ['Disk Read', 'Disk Write', 'Net In', 'Net Out']
  const heads = guestColumns.map(({ header }) => header)
  expect(narrowGuestColumns.map(({ header }) => header)).toEqual(
    heads.filter((head) => !rates.includes(head)),
  )
  expect(least(narrowGuestColumns)).toBeLessThanOrEqual(narrowTracks.minWidth)
  expect(narrowTracks.minWidth).toBe(760)
})

describe('what an update draws of a row', () => {
  const line = (fields: Parameters<typeof aGuest>[0], more: Partial<GuestLine> = {}): GuestLine => ({
    ...viewGuest(aGuest(fields), 'online'),
    id: 'a',
    link: undefined,
    alert: undefined,
    expanded: false,
    indented: true,
    tabIndex: -1,
    ...more,
  })
  const again = (after: Parameters<typeof aGuest>[0], more: Partial<GuestLine> = {}) =>
    rerenderedColumns(guestColumns, line({}), line(after, more))

  test('a figure: its own cell', () => {
    expect(again({ cpu: 0.9 })).toEqual(['cpu'])
    expect(again({ diskRead: 5, networkOut: 6 })).toEqual(['diskRead', 'networkOut'])
  })

  test('a figure that moved by less than is seen of it: nothing', () => {
    const memory = { total: 8 * 1024 ** 3, used: 3.2 * 1024 ** 3, free: 0, usage: 40 }
    const before = line({ cpu: 0.2, memory, networkIn: 5_000_000, diskRead: 70_000 })
    const after = line({
      cpu: 0.20001,
      memory: { ...memory, used: memory.used + 1024 ** 2, usage: 40.01 },
      networkIn: 5_000_400,
      diskRead: 70_010,
    })
    expect(rerenderedColumns(guestColumns, before, after)).toEqual([])
  })

  test('a figure whose colour is another one: its own cell', () => {
    const drawn = (before: number, after: number) =>
      rerenderedColumns(guestColumns, line({ cpu: before }), line({ cpu: after }))
    expect(drawn(0.8999, 0.9)).toEqual(['cpu'])
    expect(
      rerenderedColumns(guestColumns, line({ diskRead: 1024 ** 2 - 1 }), line({ diskRead: 1024 ** 2 })),
    ).toEqual(['diskRead'])
  })

  test('nothing that changed: nothing', () => {
    expect(again({})).toEqual([])
  })

  test('a name, a lock, an alert, whether it is open: the cell of its name', () => {
    expect(again({ name: 'other' })).toEqual(['name'])
    expect(again({ lock: 'backup' })).toEqual(['name'])
    expect(again({}, { alert: 'critical' })).toEqual(['name'])
    expect(again({}, { expanded: true })).toEqual(['name'])
    expect(again({}, { indented: false })).toEqual(['name'])
  })
})
