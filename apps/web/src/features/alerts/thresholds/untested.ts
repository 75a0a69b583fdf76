import type { PlainLimit, PmgFigure } from '@pulse/contract'

const restarts = 'restarts have no history'
const held = 'the history has all queued mail, not held mail alone'
const deferred = 'the history has all queued mail, not deferred mail alone'
const oldest = 'the age of the oldest mail has no history'
const spam = 'the history has the whole quarantine, not spam alone'
const virus = 'the history has the whole quarantine, not viruses alone'
const growth = 'the growth of each quarantine has no history'

/** Why a threshold has no back-test. */
const reasons: Readonly<Partial<Record<PlainLimit | PmgFigure, string>>> = {
  restartCount: restarts,
  restartWindow: restarts,
  fullWithin: 'forecasts have no history',
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
  (reasons as Readonly<Record<string, string | undefined>>)[metric] ?? 'its figure has no history'
