import { useMemo } from 'react'
import { MISSING } from '../../../lib/format.ts'
import { type RecordColumn, RecordTable } from '../../../parts/table/record-table.tsx'
import { HostActions } from './host-actions.tsx'
import { Agent, Containers, HostName, LastSeen, Status, Token, Version } from './host-cells.tsx'
import { type Host, sharedTokens } from './hosts.ts'

interface HostTableProps {
  /** that are shown */
  hosts: readonly Host[]
  /** hidden ones too: they share tokens with others all the same */
  all: readonly Host[]
  onRemove: (host: Host) => void
}

const withVersion = (engine: Host['engine'], version: string | undefined) => `${engine} ${version || MISSING}`

export function HostTable({ hosts, all, onRemove }: HostTableProps) {
  const shared = useMemo(() => sharedTokens(all), [all])
  const sharedWith = ({ key }: Host) => shared.get(key) ?? []
  const columns: readonly RecordColumn<Host>[] = [
    {
      header: 'Host',
      cell: (host) => <HostName host={host} withSystem />,
      phone: { slot: 'name', draw: (host) => <HostName host={host} /> },
    },
    { header: 'Status', cell: (host) => <Status host={host} />, phone: { slot: 'badge' } },
    {
      header: 'Containers',
      cell: ({ id }) => <Containers host={id} />,
      phone: {
        slot: 'fact',
        draw: ({ id, system }) => (
          <>
            {system && `${system} · `}
            <Containers host={id} named />
          </>
        ),
      },
    },
    {
      header: 'Docker',
      cell: ({ engine, engineVersion }) => (
        <Version>{engine === 'Docker' ? engineVersion : withVersion(engine, engineVersion)}</Version>
      ),
      phone: { slot: 'fact', draw: ({ engine, engineVersion }) => withVersion(engine, engineVersion) },
    },
    {
      header: 'Agent',
      cell: (host) => <Agent host={host} />,
      phone: { slot: 'figure', label: 'agent' },
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
      minWidth={980}
    />
  )
}
