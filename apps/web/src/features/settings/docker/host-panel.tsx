import { Container } from 'lucide-react'
import { useState } from 'react'
import { useConnection } from '../../../live/use-live.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { LoadingRows, Panel } from '../../../ui/panel.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { FilteredList } from '../filtered-list.tsx'
import { HostTable } from './host-table.tsx'
import { type Host, isMatch } from './hosts.ts'
import { RemovalDialog } from './removal-dialog.tsx'

/** All hosts with their actions. */
export function HostPanel({ hosts }: { hosts: readonly Host[] }) {
  const [showsHidden, setShowsHidden] = useState(false)
  const [removing, setRemoving] = useState<Host>()
  const hasState = useConnection(({ initialDataReceived }) => initialDataReceived)
  const hidden = hosts.filter((host) => host.hidden).length
  const shown = showsHidden ? hosts : hosts.filter((host) => !host.hidden)
  const current = removing && hosts.find(({ key }) => key === removing.key)
  return (
    <Panel
      title="Docker hosts"
      description="A host is offline when it has not reported for about two minutes."
      flush
      action={
        hidden > 0 && (
          <Switch label={`Show hidden hosts (${hidden})`} checked={showsHidden} onChange={setShowsHidden} />
        )
      }
    >
      {hosts.length === 0 && !hasState && <LoadingRows label="Loading Docker hosts" />}
      {hosts.length === 0 && hasState && (
        <EmptyState icon={<Container size={24} />} title="No Docker hosts yet">
          Generate a token and run the install command on a host: it appears here with its first report.
        </EmptyState>
      )}
      {hosts.length > 0 && shown.length === 0 && (
        <EmptyState icon={<Container size={24} />} title="Every host is hidden">
          Show hidden hosts to manage them.
        </EmptyState>
      )}
      {shown.length > 0 && <HostList hosts={shown} all={hosts} onRemove={setRemoving} />}
      <RemovalDialog
        host={current ?? removing}
        isGone={removing !== undefined && current === undefined}
        onClose={() => setRemoving(undefined)}
      />
    </Panel>
  )
}

interface HostListProps {
  /** hosts that may be shown */
  hosts: readonly Host[]
  /** including hidden hosts */
  all: readonly Host[]
  onRemove: (host: Host) => void
}

/** Longer lists get a filter. */
const mostByEye = 20
const filter = { label: 'Filter hosts', placeholder: 'Filter by name, system, status or token' }

const HostList = ({ hosts, all, onRemove }: HostListProps) => (
  <FilteredList
    rows={hosts}
    matches={isMatch}
    filter={hosts.length > mostByEye ? filter : undefined}
    draw={(rows) => <HostTable hosts={rows} all={all} onRemove={onRemove} />}
    empty={(search) => (
      <EmptyState icon={<Container size={24} />} title="No host matches">
        {`No host matches "${search}".`}
      </EmptyState>
    )}
  />
)
