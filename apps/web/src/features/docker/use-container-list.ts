import { compileContainerSearch } from '@pulse/domain'
import { useCallback, useDeferredValue, useMemo } from 'react'
import { useLive } from '../../live/use-live.ts'
import { containerColumns } from './columns.tsx'
import { type ContainerList, createContainerListSelector } from './container-list.ts'
import type { DockerView } from './use-docker-view.ts'

const kinds = ['dockerContainers', 'dockerHosts'] as const

/** The containers that the view shows, in its order; sorted by a figure that moves, it stays while it is `held`. */
export function useContainerList(view: DockerView, held: boolean): ContainerList {
  const search = useDeferredValue(view.search)
  const matches = useMemo(() => (search.trim() === '' ? undefined : compileContainerSearch(search)), [search])
  const { host } = view
  const { grouping } = view.chosen
  const { key, direction } = view.sort
  const waits = held && containerColumns.some((column) => column.id === key && column.moves)
  const select = useMemo(
    () => createContainerListSelector({ matches, sort: { key, direction }, grouping, host }),
    [matches, key, direction, grouping, host],
  )
  return useLive(
    kinds,
    useCallback((live) => select(live, waits), [select, waits]),
  )
}
