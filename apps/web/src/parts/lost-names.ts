import { compareNames } from '@pulse/domain'
import type { Node, PbsServer } from '@pulse/contract'
import { displayName } from '../lib/display-name.ts'
import type { LiveReader } from '../live/store.ts'
import { selectSilentSources } from './silent-sources.ts'
import { isNodeOnline, isPbsOnline } from './status.ts'

export const lostKinds = ['sources', 'nodes', 'pbs'] as const

/** What cannot be reached: sources, and machines of the others that are off. */
export function selectLostNames(live: LiveReader): readonly string[] {
  const sources = selectSilentSources(live)
  const silent = new Set(sources.map(({ id }) => id))
  const isOwn = ({ source }: Node | PbsServer) => !silent.has(source)
  const nodes = [...live.records('nodes').values()].filter((node) => !isNodeOnline(node) && isOwn(node))
  const servers = [...live.records('pbs').values()].filter((server) => !isPbsOnline(server) && isOwn(server))
  return [
    ...sources.map(({ name }) => name),
    ...[...nodes, ...servers].map(displayName).toSorted(compareNames),
  ]
}
