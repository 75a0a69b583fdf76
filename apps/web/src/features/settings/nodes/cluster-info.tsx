import type { NodeConfig } from '@pulse/contract'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { useOnlineEndpoints } from './use-live-source.ts'

/** The cluster a node belongs to, and its members. */
export function ClusterInfo({ node }: { node: NodeConfig }) {
  const endpoints = node.clusterEndpoints ?? []
  const online = useOnlineEndpoints(node)
  const count = `${endpoints.length} ${endpoints.length === 1 ? 'endpoint' : 'endpoints'}`
  return (
    <div className="rounded-md bg-sunken px-3 py-2 text-table">
      <p>
        <span className="font-medium">{`Cluster ${node.clusterName ?? node.name}`}</span>
        <span className="ml-2 text-ink-2">{count}</span>
      </p>
      <ul
        aria-label="Endpoints"
        className="mt-1 grid grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] gap-x-5 gap-y-1"
      >
        {endpoints.map(({ NodeID, NodeName, IP }, index) => (
          <li key={NodeID || NodeName} className="inline-flex min-w-0 items-center gap-1.5">
            <StatusDot
              tone={online[index] ? 'green' : 'red'}
              ring={!online[index]}
              label={online[index] ? 'Online' : 'Offline'}
            />
            <span className="break-all">{NodeName}</span>
            <span className="text-ink-2 tabular-nums">{IP}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
