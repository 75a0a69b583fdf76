import { Button } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { NodeCheckResult } from './node-check-result.tsx'
import { useNodeCheck } from './use-temperature-nodes.ts'

/** Checks every enabled node once. */
export function NodeCheckButton({ check }: { check: ReturnType<typeof useNodeCheck> }) {
  return (
    <Button disabled={check.isPending} onClick={() => check.mutate()}>
      {check.isPending ? 'Checking...' : 'Check proxy nodes'}
    </Button>
  )
}

/** The same check on the diagnostics page. */
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
