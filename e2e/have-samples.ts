import { getHistoryTrends, type HistoryTrends } from '@pulse/contract'
import { expect } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import type { Estate } from './estate.ts'

/** The metric history has a sample of the memory of these things. */
export const haveSamples = ({ call }: Pick<Estate, 'call'>, kind: 'guests' | 'dockerHosts' = 'guests') =>
  expect
    .poll(
      async () => {
        const { fields } = (await call(
          'GET',
          `${getHistoryTrends.path}?kind=${kind}&fields=memory`,
        )) as HistoryTrends
        return /[^~]/.test(fields['memory']!.points)
      },
      { timeout: within(60_000) },
    )
    .toBe(true)
