import { useMemo } from 'react'
import type { Direction, Sort } from '../table/sort.ts'
import { useAddress } from './use-address.ts'

interface Sortable<Id extends string> {
  id: Id
  firstDirection: Direction
}

/** The sort order of a further table on a page, as `nodeSort` and `nodeOrder`. The default is not in the address. */
export function useAddressSort<Id extends string, Usual extends Sort<Id> | undefined>(
  name: string,
  columns: readonly Sortable<Id>[],
  usual: Usual,
): [Sort<Id> | Usual, (sort: Sort<Id> | Usual) => void] {
  const { params, set } = useAddress()
  const [key, order] = [`${name}Sort`, `${name}Order`]
  const [column, given] = [params.get(key), params.get(order)]
  // a stable object: the table sorts again whenever it changes
  const found = useMemo(() => {
    const one = columns.find(({ id }) => id === column)
    return one && { key: one.id, direction: given === 'asc' || given === 'desc' ? given : one.firstDirection }
  }, [columns, column, given])
  const setSort = (sort: Sort<Id> | Usual) => {
    const isUsual = sort?.key === usual?.key && sort?.direction === usual?.direction
    set({ [key]: isUsual ? undefined : sort?.key, [order]: isUsual ? undefined : sort?.direction })
  }
  return [found ?? usual, setSort]
}
