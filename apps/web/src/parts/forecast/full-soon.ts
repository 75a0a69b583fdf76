import { perVersion, sameSet } from '../../live/per-version.ts'
import type { LiveReader } from '../../live/store.ts'

/** Wire ids of the resources with an active alert that they will be full. */
export const selectFullSoon = perVersion(
  ['activeAlerts'],
  (live: LiveReader): ReadonlySet<string> =>
    new Set(
      [...live.records('activeAlerts').values()]
        .filter(({ type }) => type === 'full-within')
        .map(({ resourceId }) => resourceId),
    ),
  sameSet,
)
