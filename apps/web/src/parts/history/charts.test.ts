import { type Figure, figures, mostSeries } from '@pulse/contract'
import { expect, test } from 'vitest'
import { formOf } from './figure-forms.ts'
import { historyOfKind } from './charts.ts'

const kinds = Object.entries(historyOfKind)
const figuresOf = (kind: string) => figures[kind as keyof typeof figures] as Record<string, Figure<never>>

test.each(kinds)(
  '[M 3.1] every chart of %s has figures with history, all in one unit',
  (kind, { charts }) => {
    for (const { title, lines } of charts) {
      for (const { field } of lines)
        expect(figuresOf(kind)[field]?.history, `${title}: ${field}`).toBeDefined()
      const forms = lines.map(({ field, isFactor }) => formOf(figuresOf(kind)[field]!.unit, isFactor))
      expect(new Set(forms).size, title).toBe(1)
    }
  },
)

test.each(kinds)(
  '[M 1.2] %s have words for a gap in which they did not run if a figure tells that they do not',
  (kind, { stopped }) => {
    expect(stopped !== undefined).toBe(figuresOf(kind)['up'] !== undefined)
  },
)

test('[M 1.1] every kind with samples has charts', () => {
  const sampled = Object.entries(figures).filter(([, ofKind]) =>
    Object.values(ofKind as Record<string, Figure<never>>).some(({ history }) => history !== undefined),
  )
  expect(Object.keys(historyOfKind).toSorted()).toEqual(sampled.map(([kind]) => kind).toSorted())
})

test('[M 3.1] the charts of Pulse itself', () => {
  expect(historyOfKind.meta!.charts.map(({ title }) => title)).toEqual([
    'Calls per minute',
    'Longest polling cycle',
    'Event loop delay',
    'Memory used',
    'Written to disk',
    'Open browsers',
  ])
  expect([formOf('ms').format(12.34), formOf('ms').axis.tick(1_500)]).toEqual(['12.3 ms', '1.5 s'])
})

test('[M 3.1] an empty queue has an oldest mail of no age, which is no missing figure', () => {
  const { format, axis } = formOf('seconds')
  expect([0, 5_400, undefined].map(format)).toEqual(['0s', '1h 30m', '—'])
  expect(axis.tick(0)).toBe('0s')
})

test.each(kinds)('one call has all figures of one of the %s', (_kind, { charts }) => {
  expect(charts.flatMap(({ lines }) => lines).length).toBeLessThanOrEqual(mostSeries.fields)
})
