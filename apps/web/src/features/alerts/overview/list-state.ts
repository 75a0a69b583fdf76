import type { Alert } from '@pulse/contract'
import { useDeferredValue, useMemo, useState } from 'react'
import { useLive } from '../../../live/use-live.ts'
import { usePreferenceInAddress } from '../use-preference-in-address.ts'
import { useAddressText } from '../../../ui/router/use-address-text.ts'
import { useAddress, useAddressValue } from '../../../ui/router/use-address.ts'
import { useAcknowledgement } from './acknowledgement.tsx'
import { type AlertFilter, arrangeAlerts, choicesOf, isFiltered, noFilter } from './arrange.ts'

/** Filter, order and selection of the alert list. The address holds everything but the selection. */
export function useAlertList(isActive: boolean) {
  const { isAcknowledged } = useAcknowledgement()
  const [grouping, setGrouping] = usePreferenceInAddress('grouping', 'alertsGrouping')
  const { filter, change } = useAlertFilter()
  const [acknowledged, setAcknowledged] = useAddressValue('acknowledged', ['hidden'])
  const showsAcknowledged = acknowledged !== 'hidden'
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const search = useDeferredValue(filter.search)
  // while alerts are inactive the list is empty
  const alerts = useLive(
    ['activeAlerts'],
    (live) => new Map(isActive ? live.records('activeAlerts') : []),
    sameAlerts,
  )
  const arranged = useMemo(
    () =>
      arrangeAlerts(alerts, isAcknowledged, { filter: { ...filter, search }, grouping, showsAcknowledged }),
    [alerts, isAcknowledged, filter, search, grouping, showsAcknowledged],
  )
  const choices = useMemo(() => choicesOf(alerts), [alerts])
  // drops alerts that have meanwhile resolved, been acknowledged or filtered out
  const selected = useMemo(
    () => new Set(arranged.unacknowledged.filter((id) => chosen.has(id))),
    [arranged, chosen],
  )
  return {
    alerts,
    ...arranged,
    choices,
    filter,
    isFiltered: isFiltered(filter),
    change,
    reset: () => change(noFilter),
    grouping,
    setGrouping,
    showsAcknowledged,
    showAcknowledged: (show: boolean) => setAcknowledged(show ? undefined : 'hidden'),
    selected,
    select(ids: readonly string[], on: boolean) {
      const next = new Set(selected)
      for (const id of ids)
        if (on) next.add(id)
        else next.delete(id)
      setChosen(next)
    },
    selectNone: () => setChosen(new Set()),
  }
}

export type AlertListState = ReturnType<typeof useAlertList>

/** Unchanged records keep their identity. */
const sameAlerts = (a: ReadonlyMap<string, Alert>, b: ReadonlyMap<string, Alert>): boolean =>
  a.size === b.size && [...a].every(([id, alert]) => b.get(id) === alert)

/** The alert filter, kept in the address. */
function useAlertFilter() {
  const { params, set } = useAddress()
  const [search, setSearch] = useAddressText('search')
  const given = params.get('level')
  const level = given === 'critical' || given === 'warning' ? given : noFilter.level
  const kind = params.get('kind') ?? noFilter.kind
  const node = params.get('node') ?? noFilter.node
  const filter = useMemo<AlertFilter>(() => ({ search, level, kind, node }), [search, level, kind, node])
  const change = ({ search: typed, ...chosen }: Partial<AlertFilter>) => {
    if (typed !== undefined) setSearch(typed)
    set(
      Object.fromEntries(
        Object.entries(chosen).map(([name, value]) => [name, value === 'all' ? undefined : value]),
      ),
    )
  }
  return { filter, change }
}
