import { useCallback, useState } from 'react'
import { useLive } from '../../live/use-live.ts'
import { indexHosts } from '../../parts/docker-hosts.ts'
import { useTableView } from '../../parts/table/use-table-view.ts'
import { containerTableView } from './filter.ts'

/** What the page shows and how; which host it shows alone is forgotten when it is left. */
export function useDockerView() {
  const view = useTableView(containerTableView)
  const [wanted, setHost] = useState<string>()
  // a host that is gone or hidden is not shown alone any more
  const host = useLive(
    ['dockerHosts'],
    useCallback(
      (live) => (wanted !== undefined && indexHosts(live).has(wanted) ? wanted : undefined),
      [wanted],
    ),
  )
  const toggleHost = useCallback((id: string) => setHost((shown) => (shown === id ? undefined : id)), [])
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
