import { Button } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { NodeCheckResult } from './node-check-result.tsx'
import { useNodeCheck } from './use-temperature-nodes.ts'

/** Asks every node that is switched on, once. */
export function NodeCheckButton({ check }: { check: ReturnType<typeof useNodeCheck> }) {
  return (
    <Button disabled={check.isPending} onClick={() => check.mutate()}>
      {check.isPending ? 'Checking...' : 'Check proxy nodes'}
    </Button>
  )
}

/** The check alone, among the diagnostics. */
export function NodeCheckPanel() {
  const check = useNodeCheck()
  return (
    <Panel
      title="Temperature helper"
      description="Connections to the nodes with temperature monitoring. Enable nodes under Proxmox VE nodes."
      flush
      action={<NodeCheckButton check={check} />}
    >
      {check.data && !check.isPending && <NodeCheckResult reply={check.data} />}
    </Panel>
  )
}
