import { useMemo } from 'react'
import { type RecordColumn, RecordTable } from '../../../parts/table/record-table.tsx'
import { MISSING } from '../../../lib/format.ts'
import { HostActions } from './host-actions.tsx'
import { Containers, HostName, LastSeen, Status, Token } from './host-cells.tsx'
import { type Host, sharedTokens } from './hosts.ts'

interface HostTableProps {
  /** that are shown */
  hosts: readonly Host[]
  /** hidden ones too: they share tokens with others all the same */
  all: readonly Host[]
  onRemove: (host: Host) => void
}

export function HostTable({ hosts, all, onRemove }: HostTableProps) {
  const shared = useMemo(() => sharedTokens(all), [all])
  const sharedWith = ({ key }: Host) => shared.get(key) ?? []
  const columns: readonly RecordColumn<Host>[] = [
    {
      header: 'Host',
      cell: (host) => <HostName host={host} />,
      phone: { slot: 'name' },
    },
    { header: 'Status', cell: (host) => <Status host={host} />, phone: { slot: 'badge' } },
    {
      header: 'System',
      cell: ({ system }) => <span className="break-words">{system || MISSING}</span>,
      phone: { slot: 'fact' },
    },
    { header: 'Containers', cell: ({ id }) => <Containers host={id} />, phone: { slot: 'fact' } },
    {
      header: 'Docker',
      cell: ({ dockerVersion }) => dockerVersion || MISSING,
      phone: { slot: 'figure', label: 'Docker' },
    },
    {
      header: 'Agent',
      cell: ({ agentVersion }) => agentVersion || MISSING,
      phone: { slot: 'figure', label: 'agent' },
    },
    {
      header: 'Interval',
      cell: ({ intervalSeconds }) => <span className="whitespace-nowrap">{`${intervalSeconds} s`}</span>,
      phone: { slot: 'figure', label: 'every' },
    },
    {
      header: 'Last seen',
      cell: ({ key }) => <LastSeen source={key} />,
      phone: { slot: 'figure', label: 'seen', draw: ({ key }) => <LastSeen source={key} inline /> },
    },
    {
      header: 'Token',
      cell: (host) => <Token host={host} sharedWith={sharedWith(host)} />,
      phone: { slot: 'fact' },
    },
    {
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (host) => <HostActions host={host} onRemove={onRemove} />,
      phone: { slot: 'action' },
    },
  ]
  return (
    <RecordTable
      label="Docker hosts"
      columns={columns}
      rows={hosts}
      keyOf={({ key }) => key}
      minWidth={1180}
    />
  )
}
