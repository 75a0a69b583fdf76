import type { PlainLimit } from '@pulse/contract'

/** Why a threshold has no back-test. */
const reasons: Readonly<Partial<Record<PlainLimit, string>>> = {
  fullWithin: 'forecasts are not recorded',
}

export const whyUntested = (metric: string): string =>
  (reasons as Readonly<Record<string, string | undefined>>)[metric] ?? 'this metric is not recorded'
