import type { Diagnostics } from '@pulse/contract'
import { compareNames } from '@pulse/domain'
import type { PresentProcess } from './presence.ts'

/** The processes for the diagnostics: first the one that leads, then by site and machine. */
export const processChecks = (cards: readonly PresentProcess[]): NonNullable<Diagnostics['processes']> =>
  cards
    .toSorted(byPlace)
    .map(({ host, site, version, roles, leads, sources, waiting, startedAt, lastWordAt }) => ({
      host,
      site,
      version,
      roles: [...roles],
      leads,
      sources,
      waiting,
      startedAt: new Date(startedAt).toISOString(),
      lastWord: new Date(lastWordAt).toISOString(),
    }))

const byPlace = (a: PresentProcess, b: PresentProcess): number =>
  Number(b.leads) - Number(a.leads) ||
  compareNames(a.site, b.site) ||
  compareNames(a.host, b.host) ||
  a.startedAt - b.startedAt
