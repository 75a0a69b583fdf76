import { compareNames } from '@pulse/domain'
import type { SourceState, Node, PbsServer } from '@pulse/contract'
import type { LiveReader } from '../../live/store.ts'
import { compareValues } from '../../ui/table/sort.ts'
import { indexHosts } from '../nodes/docker-hosts.ts'
import { displayName } from '../../lib/display-name.ts'
import { isOnline } from '../nodes/status.ts'
import { selectLostSites } from './sites.tsx'

export interface UnreachableSource {
  id: string
  name: string
  error: string | undefined
  refused: boolean
  /** Pulse rejects its certificate */
  untrusted: boolean
  /** epoch ms of its last current data; absent without any */
  since: number | undefined
}

/** Sources without new data, for any reason. Container hosts have their own page. */
export function selectUnreachableSources(live: LiveReader): readonly UnreachableSource[] {
  return [...live.records('sources')]
    .filter(([, source]) => source.health === 'error' && source.kind !== 'docker')
    .map(([id, source]) => ({
      id,
      name: sourceName(source),
      error: source.error,
      refused: source.refused ?? false,
      untrusted: source.untrusted ?? false,
      since: source.staleSince ?? source.lastSeen,
    }))
    .toSorted((a, b) => compareNames(a.name, b.name))
}

/** Container hosts that do not report. */
export function selectUnreachableHosts(live: LiveReader): readonly UnreachableSource[] {
  return [...indexHosts(live)]
    .filter(([, { online }]) => !online)
    .map(([id, { name }]) => {
      const source = live.records('sources').get(id)
      return {
        id,
        name,
        error: undefined,
        refused: false,
        untrusted: false,
        since: source?.lastSeen ?? live.records('dockerHosts').get(id)?.staleSince,
      }
    })
    .toSorted((a, b) => compareValues(a.name, b.name))
}

/** The name without the prefix of its kind. */
export const sourceName = ({ name, kind }: Pick<SourceState, 'name' | 'kind'>) =>
  name.startsWith(`${kind}-`) && kind !== 'pve' ? name.slice(kind.length + 1) : name

export const unreachableKinds = ['sources', 'nodes', 'pbs'] as const

/** Sources that answer with a certificate that is not trusted. */
export const selectUntrustedNames = (live: LiveReader): readonly string[] =>
  selectUnreachableSources(live)
    .filter(({ untrusted }) => untrusted)
    .map(({ name }) => name)

/** Sites without word, unreachable sources, and offline machines of the other sources. */
export function selectUnreachableNames(live: LiveReader): readonly string[] {
  const sources = selectUnreachableSources(live)
  const unreachableIds = new Set(sources.map(({ id }) => id))
  const isOwn = ({ source }: Node | PbsServer) => !unreachableIds.has(source)
  const nodes = [...live.records('nodes').values()].filter((node) => !isOnline(node) && isOwn(node))
  const servers = [...live.records('pbs').values()].filter((server) => !isOnline(server) && isOwn(server))
  return [
    ...selectLostSites(live).map(({ site }) => `site ${site}`),
    ...sources.filter(({ untrusted }) => !untrusted).map(({ name }) => name),
    ...[...nodes, ...servers].map(displayName).toSorted(compareNames),
  ]
}
