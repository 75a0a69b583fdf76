import type { OverrideKind } from '@pulse/contract'
import { compareNames } from '@pulse/domain'
import { sameList, useLive } from '../../../live/use-live.ts'
import type { LiveReader } from '../../../live/store.ts'

/** Kinds whose rows are connections, keyed by connection id. */
const ofConnections: ReadonlySet<OverrideKind> = new Set<OverrideKind>(['pbs', 'pmg'])

/** Connections of a kind that have not answered yet. They have no record, but may have settings. */
export function useUnanswered(kind: OverrideKind): readonly string[] {
  return useLive(
    ofConnections.has(kind) ? ['sources', kind] : [],
    (live: LiveReader) => (ofConnections.has(kind) ? unansweredIn(live, kind) : nothing),
    sameList,
  )
}

const nothing: readonly string[] = []

const unansweredIn = (live: LiveReader, kind: OverrideKind): readonly string[] =>
  [...live.records('sources')]
    .filter(([id, source]) => source.kind === kind && !live.records(kind).has(id))
    .toSorted(([a, { name }], [b, other]) => compareNames(name, other.name) || compareNames(a, b))
    .map(([id]) => id)

/** Strips the kind's prefix used in connectionHealth. */
export const connectionName = (name: string, kind: OverrideKind): string =>
  name.startsWith(`${kind}-`) ? name.slice(kind.length + 1) : name
