import { Card } from '../../../ui/card.tsx'
import { SwitchLine } from './switch-line.tsx'

/** What of the hardware below storage is watched without a threshold. */
export const DiskSwitches = () => (
  <Card aria-label="Disks and Ceph">
    <header className="border-b border-line px-3 py-2">
      <h2 className="text-sm font-semibold">Disks and Ceph</h2>
    </header>
    <SwitchLine title="Physical disks" about="SMART health and wear" allOff="disableAllDisks" />
    <SwitchLine title="Ceph clusters" about="Cluster health" allOff="disableAllCeph" />
  </Card>
)
