import type { RemovedDockerHost } from '@pulse/contract'
import { useEffect } from 'react'
import { useApi } from '../../../api/api.tsx'
import { useChange } from '../../../api/use-change.ts'
import { useLiveContext } from '../../../live/live.tsx'
import { actionsColumn, type RecordColumn, RecordTable } from '../../../parts/table/record-table.tsx'
import { Button } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { toast } from '../../../ui/toast.ts'
import { Until, When } from '../when.tsx'
import { allowAgain, failureText, toastMs } from './host-calls.ts'
import { useDockerSetup, useSetupReload } from './use-docker-setup.ts'

/** Removed hosts, whose agents are refused. */
export function RemovedPanel() {
  const { data } = useDockerSetup()
  useReloadWithHosts()
  if (!data || data.removed.length === 0) return null
  return (
    <Panel
      title="Removed hosts"
      description="Removed hosts are blocked for a while. A running agent retries every hour; restart it to reconnect now."
      flush
    >
      <RecordTable
        label="Removed hosts"
        columns={columns}
        rows={data.removed}
        keyOf={({ hostId }) => hostId}
        minWidth={560}
      />
    </Panel>
  )
}

/** Reloads when hosts change: a stopped agent removes its host without a call from this page. */
function useReloadWithHosts() {
  const { store } = useLiveContext()
  const reload = useSetupReload()
  useEffect(() => store.onMembers('dockerHosts', reload), [store, reload])
}

const columns: readonly RecordColumn<RemovedDockerHost>[] = [
  {
    header: 'Host',
    cell: ({ name }) => <span className="font-medium break-all">{name}</span>,
    phone: { slot: 'name' },
  },
  {
    header: 'Removed',
    cell: ({ removedAt }) => <When time={new Date(removedAt).toISOString()} inline="ago" />,
    phone: { slot: 'figure', label: 'removed' },
  },
  {
    header: 'Refused until',
    cell: ({ blockedUntil }) => <Until time={new Date(blockedUntil).toISOString()} />,
  },
  actionsColumn((host) => <AllowAgain host={host} />),
]

function AllowAgain({ host: { hostId, name } }: { host: RemovedDockerHost }) {
  const api = useApi()
  const reload = useSetupReload()
  const allow = useChange({
    mutationFn: () => allowAgain(api, hostId),
    onSuccess: () => {
      toast.success(`${name} may report again`, toastMs.done)
      reload()
    },
    onError: (error) => toast.error(failureText('Failed to allow Docker host again', error), toastMs.failed),
  })
  return (
    <Button aria-label={`Allow ${name} again`} disabled={allow.isPending} onClick={() => allow.mutate()}>
      Allow again
    </Button>
  )
}
