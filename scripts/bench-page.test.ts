import { expect, test } from 'vitest'
import { inShape } from '../bench/page.ts'
import { rowTable } from '../bench/rows.ts'

test('what is measured stands in the page as `npm run check` wants it', async () => {
  const rows = [
    { what: 'Reports', unit: '', read: () => 2012 },
    { what: 'Slowest answer', unit: 'ms', read: () => 2000, limit: () => 1000 },
  ]
  expect(await inShape(`# Figures\n\n${rowTable(rows, {}, '500 agents')}\n`)).toBe(
    [
      '# Figures',
      '',
      '| What               | 500 agents         | Budget |',
      '| ------------------ | ------------------ | ------ |',
      '| Reports            | 2,012              | –      |',
      '| Slowest answer, ms | **2,000 (missed)** | 1,000  |',
      '',
    ].join('\n'),
  )
})
