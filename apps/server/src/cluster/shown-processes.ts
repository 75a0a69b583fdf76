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
  cards.toSorted(byPlace).map(({ host, site, version, roles, leads, sources, waiting, ...times }) => ({
    host,
    site,
    version,
    roles: [...roles],
    leads,
    sources,
    waiting,
    startedAt: iso(times.startedAt),
    lastWord: iso(times.lastWordAt),
  }))
