import { describe, expect, test } from 'vitest'
import { toCharts } from './chart-data.ts'
import { historyOfKind } from './charts.ts'
import { anAnswer, aPoint, aSeries, now } from './fixtures.ts'
import { toRows } from './history-rows.ts'
import { withLastWeek } from './last-week.ts'
import { canShowWeek, weekMs } from './range.ts'

const minute = 60_000
const history = historyOfKind.guests!
const off = { from: now - 5 * minute, to: now - 3 * minute, reason: 'off' } as const
const viewed = (before: Parameters<typeof withLastWeek>[1], gaps = [off]) =>
  withLastWeek(
    {
      history,
      data: anAnswer(
        aSeries('cpu', 'ratio', [aPoint(now - 2 * minute, 0.2), aPoint(now - minute, 0.3)], gaps),
      ),
    },
    before,
  )
const ago = (ms: number, value: number) => aPoint(now - weekMs - ms, value)

describe('[M 3.1] the same time last week', () => {
  test('is a pale line at the times of now, without a range', () => {
    const { history: charts, data } = viewed(
      anAnswer(aSeries('cpu', 'ratio', [ago(2 * minute + 9_000, 0.5), ago(minute, 0.6)])),
    )
    const [chart] = toCharts(charts, data)
    expect(chart!.data.series.map(({ label, tone, hasBand }) => [label, tone, hasBand])).toEqual([
      ['CPU', 'accent', undefined],
      ['Last week', 'pale', false],
    ])
    expect(chart!.data.series[1]!.points.map(({ at, value }) => [at, value])).toEqual([
      [now - 2 * minute, 50],
      [now - minute, 60],
    ])
  })

  test('has its own time where nothing is near, and no two points have one', () => {
    const far = anAnswer(aSeries('cpu', 'ratio', [ago(40 * minute, 0.4), ago(39 * minute, 0.5)]))
    expect(viewed(far).data.series[1]!.points.map(({ at }) => at)).toEqual([
      now - 40 * minute,
      now - 39 * minute,
    ])
    const both = anAnswer(aSeries('cpu', 'ratio', [ago(minute + 1_000, 0.4), ago(minute - 1_000, 0.5)]))
    const times = viewed(both).data.series[1]!.points.map(({ at }) => at)
    expect(times).toEqual([now - minute, now - minute + 1_000])
  })

  test('is not interrupted by a gap of now, and its own gaps are none of the chart', () => {
    const { history: charts, data } = viewed(
      anAnswer(
        aSeries(
          'cpu',
          'ratio',
          [ago(6 * minute, 0.4)],
          [{ from: now - weekMs - 20 * minute, to: now - weekMs - 10 * minute, reason: 'silent' }],
        ),
      ),
    )
    const [chart] = toCharts(charts, data)
    expect(chart!.data.series.map(({ gaps }) => gaps)).toEqual([undefined, []])
    expect(chart!.data.gaps.map(({ from, to, reason }) => ({ from, to, reason }))).toEqual([off])
  })

  test('is a column of the table', () => {
    const { history: charts, data } = viewed(anAnswer(aSeries('cpu', 'ratio', [ago(minute, 0.6)])), [])
    const { columns, rows } = toRows(charts, data)
    expect(columns.map(({ label }) => label)).toEqual(['CPU', 'CPU: Last week'])
    expect(rows.map((row) => 'points' in row && row.points.map((point) => point?.mean))).toEqual([
      [0.2, undefined],
      [0.3, 0.6],
    ])
  })

  test('is there for at most seven days', () => {
    const of = (range: '7d' | '30d') => canShowWeek({ range, chosenAt: now, asTable: false })
    expect([of('7d'), of('30d')]).toEqual([true, false])
    const zoom = { from: now - minute, to: now }
    expect(canShowWeek({ range: '1y', chosenAt: now, asTable: false, zoom })).toBe(true)
  })
})
