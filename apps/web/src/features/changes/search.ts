import type { HistoryChange } from '@pulse/contract'
import { isEqual, isOfSites, siteTerms } from '@pulse/domain'
import { useMemo } from 'react'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'
import { siteOfSources, useSites } from '../../parts/sources/sites.tsx'

type Changed = Pick<HistoryChange, 'id' | 'name'>

/** Matches the name of then, and `site:` while there are sites. Undefined: everything matches. */
export function useChangeSearch(search: string): ((change: Changed) => boolean) | undefined {
  const sites = useSites()
  const cephSources = useLive(['cephClusters'], selectCephSources, isEqual)
  return useMemo(() => {
    const siteOf = siteOfSources(sites)
    const terms = siteOf ? siteTerms(search) : { sites: [], rest: search }
    const wanted = terms.rest.trim().toLowerCase()
    if (!wanted && terms.sites.length === 0) return undefined
    // the id of a thing begins with that of its source; a Ceph cluster has one of its own
    const sourceOf = (id: string) => cephSources[id] ?? id.split(':', 1)[0]!
    return ({ id, name }) => name.toLowerCase().includes(wanted) && isOfSites(siteOf?.(sourceOf(id)), terms)
  }, [search, sites, cephSources])
}

const selectCephSources = (live: LiveReader): Readonly<Record<string, string>> =>
  Object.fromEntries([...live.records('cephClusters')].map(([id, { source }]) => [id, source]))
