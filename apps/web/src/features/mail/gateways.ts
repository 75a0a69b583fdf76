import { displayName } from '../../lib/display-name.ts'
import type { LiveReader } from '../../live/store.ts'
import { compareValues } from '../../ui/table/sort.ts'

/** Names of the others that are connected and belong to the same cluster: they tell of the same mail. */
export const selectSameCluster =
  (id: string) =>
  (live: LiveReader): readonly string[] => {
    const cluster = live.get('pmg', id)?.cluster
    if (!cluster) return []
    return selectGateways(live)
      .filter((other) => other !== id)
      .map((other) => live.get('pmg', other)!)
      .filter((other) => other.cluster?.fingerprint === cluster.fingerprint)
      .map(displayName)
  }

/** Identities of the gateways, by name. */
export const selectGateways = (live: LiveReader): readonly string[] =>
  [...live.records('pmg')]
    .toSorted(([, a], [, b]) => compareValues(displayName(a), displayName(b)))
    .map(([id]) => id)
