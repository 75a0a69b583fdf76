import { expect, test } from 'vitest'
import { historyOfKind } from './charts.ts'
import { anAnswer, aPoint, aSeries, now } from './fixtures.ts'
import { toRows } from './history-rows.ts'

const guests = historyOfKind.guests!
const off = { from: now - 40_000, to: now - 10_000, reason: 'off' } as const
const cpu = [aPoint(now - 50_000, 0.1), aPoint(now, 0.2)]
const memory = [aPoint(now, 50)]

test('[M 3.1] the table has every figure of the charts, and only those', () => {
  const { columns, rows } = toRows(
    guests,
    anAnswer(
      aSeries('cpu', 'ratio', cpu, [off]),
      aSeries('memory', 'percent', memory, [off]),
      aSeries('disk', 'percent', []),
    ),
  )
  expect(columns.map(({ label }) => label)).toEqual(['CPU', 'Memory'])
  expect(rows).toEqual([
    { at: now - 50_000, points: [cpu[0], undefined] },
    { at: off.from, to: off.to, reason: 'off', labels: [] },
    { at: now, points: [cpu[1], memory[0]] },
  ])
})

test('a gap of some figures names them', () => {
  const { rows } = toRows(
    guests,
    anAnswer(aSeries('cpu', 'ratio', cpu), aSeries('memory', 'percent', memory, [off])),
  )
  expect(rows).toContainEqual({ at: off.from, to: off.to, reason: 'off', labels: ['Memory'] })
})

test('gaps are rows even if there is no figure at all', () => {
  const { columns, rows } = toRows(guests, anAnswer(aSeries('cpu', 'ratio', [], [off])))
  expect(columns).toEqual([])
  expect(rows).toEqual([{ at: off.from, to: off.to, reason: 'off', labels: [] }])
})
