import { useMemo } from 'react'
import { useAddressText } from '../../../ui/router/use-address-text.ts'
import { useAddress } from '../../../ui/router/use-address.ts'
import { type AlertFilter, noFilter } from './arrange.ts'

/** Which alerts are listed, as the address has it. */
export function useAlertFilter() {
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
