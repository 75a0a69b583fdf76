import { compareNames } from '@pulse/domain'
import type { Node, PbsServer } from '@pulse/contract'
import { displayName } from '../../lib/display-name.ts'
import type { LiveReader } from '../../live/store.ts'
import { selectUnreachableSources } from './unreachable.ts'
import { isOnline } from '../nodes/status.ts'

export const unreachableKinds = ['sources', 'nodes', 'pbs'] as const

/** Sources that answer with a certificate that is not trusted. */
export const selectUntrustedNames = (live: LiveReader): readonly string[] =>
  selectUnreachableSources(live)
    .filter(({ untrusted }) => untrusted)
    .map(({ name }) => name)

/** What cannot be reached: sources, and machines of the others that are off. */
export function selectUnreachableNames(live: LiveReader): readonly string[] {
  const sources = selectUnreachableSources(live)
  const silent = new Set(sources.map(({ id }) => id))
  const isOwn = ({ source }: Node | PbsServer) => !silent.has(source)
  const nodes = [...live.records('nodes').values()].filter((node) => !isOnline(node) && isOwn(node))
  const servers = [...live.records('pbs').values()].filter((server) => !isOnline(server) && isOwn(server))
  return [
    ...sources.filter(({ untrusted }) => !untrusted).map(({ name }) => name),
    ...[...nodes, ...servers].map(displayName).toSorted(compareNames),
  ]
}
