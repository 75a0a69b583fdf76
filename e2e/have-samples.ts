import { getHistoryTrends, type HistoryTrends } from '@pulse/contract'
import { expect } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import type { Estate } from './estate.ts'

/** The metric history has a sample of the guests. */
export const haveSamples = ({ call }: Pick<Estate, 'call'>) =>
  expect
    .poll(
      async () => {
        const { fields } = (await call(
          'GET',
          `${getHistoryTrends.path}?kind=guests&fields=memory`,
        )) as HistoryTrends
        return /[^~]/.test(fields['memory']!.points)
      },
      { timeout: within(60_000) },
    )
    .toBe(true)
