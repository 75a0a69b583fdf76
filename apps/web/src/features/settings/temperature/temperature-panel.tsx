import { Thermometer } from 'lucide-react'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { LoadFailed, LoadingRows, Panel } from '../../../ui/panel.tsx'
import { reasonOf } from '../../../api/reason.ts'
import { NodeCheckButton } from './node-check-panel.tsx'
import { NodeCheckResult } from './node-check-result.tsx'
import { TemperatureRow } from './temperature-row.tsx'
import { TemperatureScript } from './temperature-script.tsx'
import { useNodeCheck, useTemperatureNodes } from './use-temperature-nodes.ts'

/** The helper that reads sensors, which the Proxmox VE API does not report. */
export function TemperaturePanel() {
  const list = useTemperatureNodes()
  const check = useNodeCheck()
  const nodes = list.data?.nodes ?? []
  return (
    <Panel
      title="Temperature helper"
      description="Node temperatures are read over SSH, with a key that can do nothing else. Off until you switch it on for a node."
      flush
      form
      action={<NodeCheckButton check={check} />}
    >
      {check.data && !check.isPending && <NodeCheckResult reply={check.data} />}
      {list.isPending && <LoadingRows label="Loading nodes" />}
      {list.error && (
        <LoadFailed
          title="Failed to load the temperature helper"
          reason={reasonOf(list.error)}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.data && nodes.length === 0 && (
        <EmptyState icon={<Thermometer size={24} />} title="No Proxmox VE nodes">
          Temperatures can be read from the nodes of Proxmox VE connections.
        </EmptyState>
      )}
      {nodes.length > 0 && (
        <ul aria-label="Nodes">
          {nodes.map((node) => (
            <TemperatureRow key={`${node.connectionId} ${node.node}`} node={node} />
          ))}
        </ul>
      )}
      {nodes.some(({ enabled }) => enabled) && <TemperatureScript />}
    </Panel>
  )
}
