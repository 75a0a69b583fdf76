import { getHistoryState } from '@pulse/contract'
import { keepMsOf, type Tables } from '@pulse/domain'
import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { pastRoutes } from './past.ts'

const hourMs = 3_600_000

test.each([
  { historyRawHours: 1, hoursAgo: 2, tier: 'minute' },
  { historyRawHours: 24, hoursAgo: 2, tier: 'raw' },
  { historyRawHours: 168, hoursAgo: 100, tier: 'raw' },
])(
  '[M 1.2] with $historyRawHours h of samples, a state of $hoursAgo h ago is read from the tier $tier',
  async ({ historyRawHours, hoursAgo, tier }) => {
    const clock = fakeClock(Date.UTC(2026, 10, 29))
    const asked: unknown[] = []
    const lengths = { historyMinuteDays: 14, historyQuarterHourMonths: 13, historyDayYears: 0 }
    const routes = pastRoutes({
      history: {
        ask: (async (what: { do: string; query: { tier: string } }) => {
          asked.push(what.query.tier)
          return { body: new Uint8Array(), oldest: 0 }
        }) as never,
        samples: async () => [],
        buckets: async () => [],
      },
      tables: {} as Tables,
      mask: undefined,
      clock,
      keepMs: () => keepMsOf({ ...lengths, historyRawHours }),
    })
    const { handle } = routes.find(({ endpoint }) => endpoint === getHistoryState)!
    await handle({
      query: { at: clock.now() - hoursAgo * hourMs },
      caller: { headers: {} },
    } as never)
    expect(asked).toEqual([tier])
  },
)
