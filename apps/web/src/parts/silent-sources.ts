import type { SourceState } from '@pulse/contract'
import type { LiveReader } from '../live/store.ts'

export interface SilentSource {
  id: string
  name: string
  error: string | undefined
  refused: boolean
  /** when its figures were last right; absent when there never were any */
  since: number | undefined
}

/** Sources from which nothing new comes, whatever the reason. */
export function selectSilentSources(live: LiveReader): readonly SilentSource[] {
  return [...live.records('sources')]
    .filter(([, source]) => source.health === 'error')
    .map(([id, source]) => ({
      id,
      name: sourceName(source),
      error: source.error,
      refused: source.refused ?? false,
      since: source.staleSince ?? source.lastSeen,
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Without the prefix that tells kinds apart. */
export const sourceName = ({ name, kind }: Pick<SourceState, 'name' | 'kind'>) =>
  name.startsWith(`${kind}-`) && kind !== 'pve' ? name.slice(kind.length + 1) : name
