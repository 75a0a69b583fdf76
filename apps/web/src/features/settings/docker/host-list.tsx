import { Container } from 'lucide-react'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FilteredList } from '../filtered-list.tsx'
import { HostTable } from './host-table.tsx'
import { type Host, isMatch } from './hosts.ts'

interface HostListProps {
  /** that may be shown */
  hosts: readonly Host[]
  /** hidden ones too */
  all: readonly Host[]
  onRemove: (host: Host) => void
}

/** So many can be looked through by eye. */
const mostByEye = 20
const filter = { label: 'Filter hosts', placeholder: 'Filter by name, system, status or token' }

export const HostList = ({ hosts, all, onRemove }: HostListProps) => (
  <FilteredList
    rows={hosts}
    matches={isMatch}
    filter={hosts.length > mostByEye ? filter : undefined}
    draw={(rows) => <HostTable hosts={rows} all={all} onRemove={onRemove} />}
    empty={(search) => (
      <EmptyState icon={<Container size={24} />} title="No host matches">
        {`Nothing of a host contains "${search}".`}
      </EmptyState>
    )}
  />
)
