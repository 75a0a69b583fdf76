import { useMemo } from 'react'
import { useApi } from '../../../api/api.tsx'
import { useChange } from '../../../api/use-change.ts'
import { MISSING } from '../../../lib/format.ts'
import { actionsColumn, type RecordColumn, RecordTable } from '../../../parts/table/record-table.tsx'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'
import { failureText, removeHost, toastMs, unhideHost } from './host-calls.ts'
import { Agent, Containers, HostName, LastSeen, Status, Token, Version } from './host-cells.tsx'
import { type Host, sharedTokens } from './hosts.ts'
import { removalText } from './stop-state.ts'

interface HostTableProps {
  /** the hosts shown */
  hosts: readonly Host[]
  /** including hidden hosts, which may share tokens with others */
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
    actionsColumn((host) => <HostActions host={host} onRemove={onRemove} />),
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

interface HostActionsProps {
  host: Host
  onRemove: (host: Host) => void
}

function HostActions({ host, onRemove }: HostActionsProps) {
  const { name, hidden, isOnline, phase } = host
  const api = useApi()
  const change = useChange({
    mutationFn: async ({ id }: Host) => {
      if (hidden) await unhideHost(api, id)
      else await removeHost(api, id, 'hide')
    },
    onSuccess: () => toast.success(`${hidden ? 'Unhidden' : 'Hidden'} Docker host ${name}`, toastMs.done),
    onError: (error) =>
      toast.error(
        failureText(hidden ? 'Failed to unhide Docker host' : 'Failed to hide Docker host', error),
        toastMs.failed,
      ),
  })
  const removal = removalText(isOnline, phase)
  const hiding = hidden ? 'Unhide' : 'Hide'
  return (
    <span className="inline-flex flex-wrap justify-end gap-1.5 sm:flex-nowrap">
      <Button
        variant="ghost"
        aria-label={`${hiding} ${name}`}
        disabled={change.isPending}
        onClick={() => change.mutate(host)}
      >
        {hiding}
      </Button>
      <Button aria-label={`${removal} ${name}`} onClick={() => onRemove(host)} className="text-red">
        {removal}
      </Button>
    </span>
  )
}
