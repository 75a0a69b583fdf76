import {
  getUpdateHistory,
  getUpdateHistoryEntry,
  type UpdateHistoryEntry,
  updateHistoryLimit,
} from '@pulse/contract'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { useLiveEvent } from '../../../live/use-live.ts'
import { AdminOnly } from '../../../parts/sections/admin-only.tsx'
import { Loaded } from '../../../parts/sections/loaded.tsx'
import { hasEnded } from '../../../parts/updates/update-flow.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Select } from '../../../ui/select.tsx'
import { EntryDialog } from './entry-dialog.tsx'
import { HistoryTable } from './history-table.tsx'
import { outcomeChoices } from './update-texts.ts'

type Wanted = UpdateHistoryEntry['status'] | 'all'

export default function UpdatesSection() {
  return (
    <AdminOnly to="to see updates">
      <UpdateHistory />
    </AdminOnly>
  )
}

function UpdateHistory() {
  const [wanted, setWanted] = useState<Wanted>('all')
  const [open, setOpen] = useState<string>()
  const history = useHistory(wanted)
  return (
    <Panel
      title="Update history"
      description="Updates of this installation and their results, newest first."
      flush
      action={
        <span className="flex flex-wrap gap-2">
          <Select label="Result" hideLabel value={wanted} options={outcomeChoices} onChange={setWanted} />
          <Button onClick={() => void history.refetch()} disabled={history.isFetching}>
            Refresh
          </Button>
        </span>
      }
    >
      <Loaded
        query={history}
        what="the update history"
        isEmpty={(entries) => entries.length === 0}
        empty={
          <EmptyState icon={<History size={24} />} title="No updates">
            {wanted === 'all' ? 'Updates of this installation appear here.' : 'No update has this result.'}
          </EmptyState>
        }
      >
        {(entries) => <HistoryTable entries={entries} onOpen={setOpen} />}
      </Loaded>
      <EntryDialog id={open} onClose={() => setOpen(undefined)} />
    </Panel>
  )
}

function useHistory(wanted: Wanted) {
  const api = useApi()
  const queries = useQueryClient()
  // reload when an update starts or ends
  useLiveEvent('update:progress', ({ data }) => {
    if (!hasEnded(data) && data.status !== 'downloading') return
    for (const path of [getUpdateHistory.path, getUpdateHistoryEntry.path])
      void queries.invalidateQueries({ queryKey: [path] })
  })
  return useQuery({
    queryKey: [getUpdateHistory.path, wanted],
    queryFn: ({ signal }) =>
      api.call(getUpdateHistory, {
        query: { limit: updateHistoryLimit, ...(wanted !== 'all' && { status: wanted }) },
        signal,
      }),
    placeholderData: keepPreviousData,
  })
}
