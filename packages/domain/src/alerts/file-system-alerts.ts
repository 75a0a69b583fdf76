import { alertIdOf } from './alert-id.ts'

/** The alert of a file system's usage, before `alertIdOf`. `key` is that of `fileSystemName`. */
export const usageAlertOf = (guestId: string, key: string): string => `${guestId}-disk-${key}-disk`

/** The alert that it will be full within some days, before `alertIdOf`. */
export const fullWithinAlertOf = (guestId: string, key: string): string => `full-within-${guestId}-${key}`

/** The ids of all alerts about a file system of a guest, as requests have them. */
export const fileSystemAlerts = (guestId: string, key: string): ReadonlySet<string> =>
  new Set([usageAlertOf, fullWithinAlertOf].map((idOf) => alertIdOf(idOf(guestId, key))))
