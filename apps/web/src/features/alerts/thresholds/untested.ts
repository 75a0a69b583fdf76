import type { PlainLimit, PmgFigure } from '@pulse/contract'

const restarts = 'restarts are not recorded'
const held = 'only the total mail queue is recorded, not held mail'
const deferred = 'only the total mail queue is recorded, not deferred mail'
const oldest = 'the age of the oldest mail is not recorded'
const spam = 'only the total quarantine is recorded, not spam'
const virus = 'only the total quarantine is recorded, not viruses'
const growth = 'the growth of each quarantine is not recorded'

/** Why a threshold has no back-test. */
const reasons: Readonly<Partial<Record<PlainLimit | PmgFigure, string>>> = {
  restartCount: restarts,
  restartWindow: restarts,
  fullWithin: 'forecasts are not recorded',
  deferredQueueWarn: deferred,
  deferredQueueCritical: deferred,
  holdQueueWarn: held,
  holdQueueCritical: held,
  oldestMessageWarnMins: oldest,
  oldestMessageCritMins: oldest,
  quarantineSpamWarn: spam,
  quarantineSpamCritical: spam,
  quarantineVirusWarn: virus,
  quarantineVirusCritical: virus,
  quarantineGrowthWarnPct: growth,
  quarantineGrowthWarnMin: growth,
  quarantineGrowthCritPct: growth,
  quarantineGrowthCritMin: growth,
}

export const whyUntested = (metric: string): string =>
  (reasons as Readonly<Record<string, string | undefined>>)[metric] ?? 'this metric is not recorded'
