import type { Diagnostics } from '@pulse/contract'
import { compareNames } from '@pulse/domain'
import type { PresentProcess } from './presence.ts'

/** The one that leads, then by site and machine. */
const byPlace = (a: PresentProcess, b: PresentProcess): number =>
  Number(b.leads) - Number(a.leads) ||
  compareNames(a.site, b.site) ||
  compareNames(a.host, b.host) ||
  a.startedAt - b.startedAt

const iso = (at: number) => new Date(at).toISOString()

/** The list of processes, as Diagnostics has it. */
export const shownProcesses = (cards: readonly PresentProcess[]): Diagnostics['processes'] =>
  cards.toSorted(byPlace).map(({ host, site, version, roles, leads, sources, waiting, ...more }) => ({
    host,
    site,
    version,
    roles: [...roles],
    leads,
    ...(more.isRemote && { isRemote: true }),
    ...(more.hasDatabase !== undefined && { hasDatabase: more.hasDatabase }),
    sources,
    waiting,
    startedAt: iso(more.startedAt),
    lastWord: iso(more.lastWordAt),
  }))
