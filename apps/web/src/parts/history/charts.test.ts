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

test.each(kinds)('one call has all figures of one of the %s', (_kind, { charts }) => {
  expect(charts.flatMap(({ lines }) => lines).length).toBeLessThanOrEqual(mostSeries.fields)
})
