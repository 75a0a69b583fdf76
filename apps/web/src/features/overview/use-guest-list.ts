import type { Guest } from '@pulse/contract'
import { compileSearch, guestFields, type GuestMoment, type SearchFields, withSite } from '@pulse/domain'
import { useCallback, useDeferredValue, useMemo } from 'react'
import { useNow } from '../../lib/use-now.ts'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'
import type { SummaryRowKey } from '../../parts/node-summary/rows.ts'
import { nodeKey } from '../../parts/nodes/nodes.ts'
import { siteOfSources, useSites } from '../../parts/sources/sites.tsx'
import { guestColumns } from './columns.tsx'
import { createGuestListSelector, type GuestList, sameGuestList } from './guest-list.ts'
import type { OverviewView } from './use-overview-view.ts'

/** Alerts decide which guests need attention. */
const kinds = ['guests', 'nodes', 'activeAlerts'] as const

/** The view's guests, in its order. While `inUse`, live figures do not change the order. */
export function useGuestList(view: OverviewView, inUse: boolean): GuestList {
  const search = useDeferredValue(view.search)
  const fields = useGuestFields()
  const matches = useMemo(
    () => (search.trim() === '' ? undefined : compileSearch(search, fields)),
    [search, fields],
  )
  const usesTime = search.toLowerCase().includes('uptime')
  const nowMs = useNow(60_000, (now) => (usesTime ? now : 0))
  const { selected } = view
  const focus = view.focus === 'nodes' ? undefined : view.focus
  const { type, status, grouping } = view.chosen
  const { key, direction } = view.sort
  const keepOrder = inUse && guestColumns.some((column) => column.id === key && column.changesOften)
  const node = useLive(
    ['nodes'],
    useCallback((live) => selectedNodeKey(live, selected), [selected]),
  )
  const select = useMemo(
    () =>
      createGuestListSelector({
        matches,
        nowMs,
        type,
        status,
        grouping,
        node,
        focus,
        sort: { key, direction },
      }),
    [matches, nowMs, type, status, grouping, node, focus, key, direction],
  )
  return useLive(
    kinds,
    useCallback((live) => select(live, keepOrder), [select, keepOrder]),
    sameGuestList,
  )
}

/** The fields of the search; `site` if there are sites. */
export function useGuestFields(): SearchFields<[guest: Guest, at: GuestMoment]> {
  const sites = useSites()
  return useMemo(() => {
    const siteOf = siteOfSources(sites)
    return siteOf ? withSite(guestFields, siteOf) : guestFields
  }, [sites])
}

/** A deleted node selects nothing. */
function selectedNodeKey(live: LiveReader, selected: SummaryRowKey | undefined): string | undefined {
  const node = selected?.startsWith('pve:') ? live.get('nodes', selected.slice(4)) : undefined
  return node && nodeKey(node)
}
