import type { SourceState } from '@pulse/contract'
import { displayName } from '../../lib/display-name.ts'
import type { LiveReader } from '../../live/store.ts'
import { sourceName } from '../../parts/silent-sources.ts'
import { compareValues } from '../../ui/table/sort.ts'

/** Identities of the gateways, by name. */
export const selectGateways = (live: LiveReader): readonly string[] =>
  [...live.records('pmg')]
    .toSorted(([, a], [, b]) => compareValues(displayName(a), displayName(b)))
    .map(([id]) => id)

export interface GatewaySource extends Pick<SourceState, 'error'> {
  id: string
  name: string
}

/** Mail Gateway connections that exist; asked when there is no gateway to show. */
export const selectGatewaySources = (live: LiveReader): readonly GatewaySource[] =>
  [...live.records('sources')]
    .filter(([, source]) => source.kind === 'pmg')
    .map(([id, source]) => ({ id, name: sourceName(source), error: source.error }))
