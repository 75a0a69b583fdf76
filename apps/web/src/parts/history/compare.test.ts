import { aGuest } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { toCharts } from './chart-data.ts'
import { historyOfKind } from './charts.ts'
import { compared, lineOf, mostOthers } from './compare.ts'
import { anAnswer, aPoint, aSeries, now } from './fixtures.ts'
import { distinctNames, guestChoices } from './guest-choices.ts'
import { toRows } from './history-rows.ts'

const history = historyOfKind.guests!
const gap = (reason: 'off' | 'silent' | 'stopped') => ({ from: now - 120_000, to: now - 60_000, reason })
const of = (id: string, field: string, value: number, gaps: ReturnType<typeof gap>[] = []) => ({
  ...aSeries(field, field === 'cpu' ? 'ratio' : 'bytes/s', [aPoint(now, value)], gaps),
  id,
})
const guests = [
  { id: 'a', name: 'web' },
  { id: 'b', name: 'db' },
]

describe('[M 3.1] comparing guests', () => {
  const data = anAnswer(
    of('a', 'cpu', 0.1, [gap('off'), gap('silent')]),
    of('b', 'cpu', 0.2, [{ ...gap('off'), from: now - 119_000 }, gap('stopped')]),
    of('a', 'networkIn', 10),
    of('b', 'networkIn', 20),
  )
  const viewed = compared({ history, data }, guests)
  const charts = toCharts(viewed.history, viewed.data)

  test('each figure has a chart with a line per guest', () => {
    expect(
      charts.map(({ title, data: { series } }) => [
        title,
        ...series.map(({ label, points }) => `${label} ${points[0]!.value}`),
      ]),
    ).toEqual([
      ['CPU', 'web 10', 'db 20'],
      ['Network: Received', 'web 10', 'db 20'],
    ])
  })

  test('thresholds and alerts are those of the first guest', () => {
    expect(charts[0]!.lines.map(({ field }) => field)).toEqual(['cpu', 'cpu of b'])
  })

  test('what all of them have is a gap of the chart, and the rest interrupts the line of its guest', () => {
    const { gaps, series } = charts[0]!.data
    expect(gaps.map(({ reason, from, to }) => [reason, from, to])).toEqual([
      ['off', now - 119_000, now - 60_000],
    ])
    expect(series.map((one) => one.gaps!.map(({ reason }) => reason))).toEqual([
      ['off', 'silent'],
      ['stopped', 'off'],
    ])
  })

  test('the table has a column per guest and figure', () => {
    const { columns } = toRows(viewed.history, viewed.data)
    expect(columns.map(({ label }) => label)).toEqual([
      'CPU: web',
      'CPU: db',
      'Network: Received: web',
      'Network: Received: db',
    ])
  })

  test('no two of eight lines look the same, with or without colour', () => {
    const looks = Array.from({ length: mostOthers + 1 }, (_, n) => lineOf(n))
    expect(looks).toHaveLength(8)
    expect(new Set(looks.map(({ tone }) => tone)).size).toBe(8)
    expect(new Set(looks.map(({ dash }) => dash.join())).size).toBe(8)
  })
})

describe('[M 3.1] the guests to choose from', () => {
  const live = aLive({
    guests: {
      a: aGuest({ name: 'web', vmid: 100, node: 'pve1' }),
      b: aGuest({ name: 'web', vmid: 101, node: 'pve2' }),
      c: aGuest({ name: 'db', vmid: 102, node: 'pve2' }),
      d: aGuest({ name: 'base', vmid: 103, node: 'pve2', template: true }),
    },
  }).store
  const found = (text: string, chosen: string[] = []) =>
    guestChoices(live, { text, chosen, own: 'a' }).choices.map(({ id }) => id)

  test('are found by name, VMID and node, without the own one and templates', () => {
    expect(found('')).toEqual(['c', 'b'])
    expect(found('DB')).toEqual(['c'])
    expect(found('101')).toEqual(['b'])
    expect(found('pve2')).toEqual(['c', 'b'])
    expect(found('nothing')).toEqual([])
    expect(found('nothing', ['b']), 'a chosen one stays').toEqual(['b'])
  })

  test('have names that differ', () => {
    const names = (...ids: string[]) => distinctNames(live, ids).map(({ name }) => name)
    expect(names('a', 'c')).toEqual(['web', 'db'])
    expect(names('a', 'b', 'c')).toEqual(['web (100)', 'web (101)', 'db'])
    expect(names('a', 'deleted')).toEqual(['web', 'deleted'])
  })
})
