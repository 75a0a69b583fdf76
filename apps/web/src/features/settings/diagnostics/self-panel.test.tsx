// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { within as timeout } from '../../../../../../scripts/test-limits.ts'
import { stubCanvas } from '../../../parts/chart/fake-canvas.ts'
import { renderInApp } from '../../../parts/fake-app.tsx'
import { SelfPanel } from './self-panel.tsx'

beforeEach(stubCanvas)
afterEach(cleanup)

const units = { callsPerMinute: 'count', pollDuration: 'ms', loopWait: 'ms', memoryUsed: 'bytes' }

test('[M 3.1] Pulse itself has charts of its calls, their duration, its memory and what it writes', async () => {
  const { calls } = await renderInApp(<SelfPanel />, {
    replies: {
      '/api/history/series': ({ query }: { query: { from: number; to: number } }) => ({
        tier: 'raw',
        ...query,
        series: Object.entries(units).map(([field, unit]) => ({
          id: 'meta',
          field,
          unit,
          points: [{ at: query.to - 60_000, min: 12, mean: 12, max: 12, last: 12, count: 1 }],
          gaps: [],
        })),
      }),
      '/api/alerts/config': {},
    },
  })
  const panel = within(screen.getByRole('region', { name: 'Pulse itself' }))
  const figures = await panel.findAllByRole('figure', undefined, { timeout: timeout(20_000) })
  expect(figures.map((one) => one.querySelector('figcaption')!.textContent.split('.')[0])).toEqual([
    'Calls per minute: last 12, lowest 12, highest 12',
    'Longest polling cycle: last 12 ms, lowest 12 ms, highest 12 ms',
    'Event loop delay: last 12 ms, lowest 12 ms, highest 12 ms',
    'Memory used: last 12 B, lowest 12 B, highest 12 B',
  ])
  // it has neither alerts nor changes
  expect(new Set(calls)).toEqual(new Set(['/api/history/series', '/api/alerts/config']))
})
