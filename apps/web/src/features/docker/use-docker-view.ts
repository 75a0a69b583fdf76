import { useCallback } from 'react'
import { useLive } from '../../live/use-live.ts'
import { indexHosts } from '../../parts/nodes/docker-hosts.ts'
import { useTableView } from '../../parts/table/use-table-view.ts'
import { useAddressValue } from '../../ui/router/use-address.ts'
import { containerTableView } from './filter.ts'

/** The page's view state, kept in the address. */
export function useDockerView() {
  const view = useTableView(containerTableView)
  const [wanted, setHost] = useAddressValue('host')
  // a deleted or hidden host is not shown alone any more
  const host = useLive(
    ['dockerHosts'],
    useCallback(
      (live) => (wanted !== undefined && indexHosts(live).has(wanted) ? wanted : undefined),
      [wanted],
    ),
  )
  const toggleHost = useCallback((id: string) => setHost(wanted === id ? undefined : id), [setHost, wanted])
  return {
    ...view,
    host,
    toggleHost,
    reset() {
      view.reset()
      setHost(undefined)
    },
  }
}

export type DockerView = ReturnType<typeof useDockerView>
