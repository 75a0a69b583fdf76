import { displayName } from '../../lib/display-name.ts'
import type { LiveReader } from '../../live/store.ts'
import { compareValues } from '../../ui/table/sort.ts'

/** Identities of the gateways, by name. */
export const selectGateways = (live: LiveReader): readonly string[] =>
  [...live.records('pmg')]
    .toSorted(([, a], [, b]) => compareValues(displayName(a), displayName(b)))
    .map(([id]) => id)
