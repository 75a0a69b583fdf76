import { mainSite, type RecordKind, type SourceState } from '@pulse/contract'
import { compareNames, isEqual, type SiteOf } from '@pulse/domain'
import { createContext, type ReactNode, useCallback, useContext } from 'react'
import { perVersion } from '../../live/per-version.ts'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'
import { Badge } from '../../ui/badge.tsx'

/** Sites by the id of the source; only sources that are elsewhere, so it is empty without sites. */
export type Sites = ReadonlyMap<string, string>

/** Keeps its identity while the sites are the same. */
const selectSites = perVersion(['sources'], readSites, (a, b) => isEqual([...a], [...b]))

function readSites(live: LiveReader): Sites {
  const sites = new Map<string, string>()
  for (const [id, { site }] of live.records('sources')) if (site !== undefined) sites.set(id, site)
  return sites
}

const kinds = ['sources'] as const

export const useSites = (): Sites => useLive(kinds, selectSites)

/** For searches. Undefined while all sources are at the main site: then nothing has a site. */
export const siteOfSources = (sites: Sites): SiteOf | undefined =>
  sites.size === 0 ? undefined : (source) => sites.get(source) ?? mainSite

const SitesContext = createContext<Sites>(new Map())

/** Reads the sites once for all badges of a page, so that rows without a site do no work. */
export const SitesProvider = ({ children }: { children: ReactNode }) => (
  <SitesContext value={useSites()}>{children}</SitesContext>
)

/** For a thing with old figures. Nothing is known of the sources of a lost site, so they may well answer. */
export const useSilenceLabel = (source: string): string =>
  useLive(
    kinds,
    useCallback((live) => silenceLabel(live.records('sources').get(source)), [source]),
  )

export const silenceLabel = (source: Pick<SourceState, 'siteUnreachableSince'> | undefined): string =>
  source?.siteUnreachableSince === undefined ? 'Not answering' : 'No word from its site'

interface SiteBadgeProps {
  /** of a record with a source */
  kind: Extract<RecordKind, 'nodes' | 'pbs' | 'pmg'>
  id: string
}

/** The site of a machine, unless it is the main one. */
export function SiteBadge(props: SiteBadgeProps) {
  const sites = useContext(SitesContext)
  return sites.size > 0 && <OwnSite {...props} sites={sites} />
}

function OwnSite({ kind, id, sites }: SiteBadgeProps & { sites: Sites }) {
  const source = useLive(
    [kind],
    useCallback((live) => live.get(kind, id)?.source ?? '', [kind, id]),
  )
  const site = sites.get(source)
  return site !== undefined && <SiteName site={site} />
}

const SiteName = ({ site }: { site: string }) => (
  // phones have no room for it beside the cluster
  <span className="flex min-w-8 max-sm:hidden">
    <Badge className="max-w-full">
      <span className="truncate">
        <span className="sr-only">Site </span>
        {site}
      </span>
    </Badge>
  </span>
)

export interface LostSite {
  site: string
  /** epoch ms */
  since: number
}

/** Sites without word, by name, since the first of their sources. */
export function selectLostSites(live: LiveReader): readonly LostSite[] {
  const lost = new Map<string, number>()
  for (const { site = mainSite, siteUnreachableSince: since } of live.records('sources').values())
    if (since !== undefined) lost.set(site, Math.min(since, lost.get(site) ?? since))
  return [...lost].map(([site, since]) => ({ site, since })).toSorted((a, b) => compareNames(a.site, b.site))
}
