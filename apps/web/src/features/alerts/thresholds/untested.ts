import type { PlainLimit, PmgFigure } from '@pulse/contract'

const growth = 'growth counts in the back-test of each quarantine'

/** Why a threshold has no back-test. */
const reasons: Readonly<Partial<Record<PlainLimit | PmgFigure, string>>> = {
  fullWithin: 'forecasts are not recorded',
  quarantineGrowthWarnPct: growth,
  quarantineGrowthWarnMin: growth,
  quarantineGrowthCritPct: growth,
  quarantineGrowthCritMin: growth,
}

export const whyUntested = (metric: string): string =>
  (reasons as Readonly<Record<string, string | undefined>>)[metric] ?? 'this metric is not recorded'
