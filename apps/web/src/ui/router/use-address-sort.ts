import { useMemo } from 'react'
import type { Direction, Sort } from '../table/sort.ts'
import { useAddress } from './use-address.ts'

interface Sortable<Id extends string> {
  id: Id
  firstDirection: Direction
}

/**
 * The sort order of another table on the page, as `nodeSort` and `nodeOrder`. The address omits the default.
 */
export function useAddressSort<Id extends string, Usual extends Sort<Id> | undefined>(
  name: string,
  columns: readonly Sortable<Id>[],
  usual: Usual,
): [Sort<Id> | Usual, (sort: Sort<Id> | Usual) => void] {
  const { params, set } = useAddress()
  const [key, order] = [`${name}Sort`, `${name}Order`]
  const [column, direction] = [params.get(key), params.get(order)]
  // a stable object, because the table sorts again whenever it changes
  const found = useMemo(() => {
    const one = columns.find(({ id }) => id === column)
    return (
      one && {
        key: one.id,
        direction: direction === 'asc' || direction === 'desc' ? direction : one.firstDirection,
      }
    )
  }, [columns, column, direction])
  const setSort = (sort: Sort<Id> | Usual) => {
    const isUsual = sort?.key === usual?.key && sort?.direction === usual?.direction
    set({ [key]: isUsual ? undefined : sort?.key, [order]: isUsual ? undefined : sort?.direction })
  }
  return [found ?? usual, setSort]
}
