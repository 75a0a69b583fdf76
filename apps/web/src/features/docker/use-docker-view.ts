import { useCallback } from 'react'
import { useLive } from '../../live/use-live.ts'
import { indexHosts } from '../../parts/nodes/docker-hosts.ts'
import { useTableView } from '../../parts/table/use-table-view.ts'
import { useAddressValue } from '../../ui/router/use-address.ts'
import { containerTableView } from './filter.ts'

/** What the page shows and how. All of it stands in the address. */
export function useDockerView() {
  const view = useTableView(containerTableView)
  const [wanted, setHost] = useAddressValue('host')
  // a host that is gone or hidden is not shown alone any more
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
