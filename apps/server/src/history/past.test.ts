import { getHistoryState } from '@pulse/contract'
import { usualKeepMs } from '@pulse/domain'
import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { firstMeta } from '../state/first-meta.ts'
import { createState } from '../state/state.ts'
import type { History } from './history.ts'
import { pastRoutes } from './past.ts'

const T0 = Date.UTC(2026, 0, 5, 12)
const hour = 3_600_000

test.each([
  { rawHours: 6, hoursAgo: 5, tier: 'raw' },
  { rawHours: 6, hoursAgo: 7, tier: 'minute' },
  { rawHours: 168, hoursAgo: 100, tier: 'raw' },
])(
  '[M 3.4] $hoursAgo h ago, with samples as polled for $rawHours h, the figures are those of the tier $tier',
  async ({ rawHours, hoursAgo, tier }) => {
    const asked: unknown[] = []
    const ask = async (what: { query: { tier: string } }) => {
      asked.push(what.query.tier)
      return { do: 'state', oldest: T0, body: new Uint8Array() }
    }
    const routes = pastRoutes({
      history: { ask } as unknown as History,
      tables: createState(firstMeta(0, '0', [])).tables,
      mask: undefined,
      clock: fakeClock(T0),
      keptMs: () => ({ ...usualKeepMs, raw: rawHours * hour }),
    })
    const { handle } = routes.find(({ endpoint }) => endpoint === getHistoryState)!
    await handle({ query: { at: T0 - hoursAgo * hour }, caller: { headers: {} } } as never)
    expect(asked).toEqual([tier])
  },
)
