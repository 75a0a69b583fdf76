import { expect, test } from 'vitest'
import { historyQuery } from './period.ts'

const now = Date.UTC(2026, 0, 31, 12)

test.each([
  { period: '24h', query: { limit: 2_000, startTime: '2026-01-30T12:00:00.000Z' } },
  { period: '7d', query: { limit: 10_000, startTime: '2026-01-24T12:00:00.000Z' } },
  { period: '30d', query: { limit: 10_000, startTime: '2026-01-01T12:00:00.000Z' } },
  { period: 'all', query: { limit: 0 } },
  { period: '90d', query: { limit: 1_000 } },
])('[spec 3 §7] the history of $period is asked for with $query', ({ period, query }) => {
  expect(historyQuery(period, now)).toEqual(query)
})
