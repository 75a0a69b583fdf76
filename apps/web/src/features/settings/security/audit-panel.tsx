import { type AuditEvent, getAudit } from '@pulse/contract'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Select } from '../../../ui/select.tsx'
import { LoadFailed, LoadingRows, Panel } from '../../../ui/panel.tsx'
import { reasonOf } from '../../../api/reason.ts'
import { AuditTable } from './audit-table.tsx'
import { eventChoices } from './audit-texts.ts'

const pageSize = 50

export function AuditPanel() {
  const [event, setEvent] = useState<AuditEvent | 'all'>('all')
  const log = useAudit(event)
  const records = log.data?.pages.flatMap(({ events }) => events) ?? []
  return (
    <Panel
      title="Audit log"
      description="Who signed in and who changed what, newest first."
      flush
      action={
        <span className="flex flex-wrap gap-2">
          <Select label="Event" hideLabel value={event} options={eventChoices} onChange={setEvent} />
          <Button onClick={() => void log.refetch()} disabled={log.isFetching}>
            Refresh
          </Button>
        </span>
      }
    >
      {log.isPending && <LoadingRows label="Loading the audit log" count={5} />}
      {log.error && (
        <LoadFailed
          title="Failed to load the audit log"
          reason={reasonOf(log.error)}
          onRetry={() => void (log.isFetchNextPageError ? log.fetchNextPage() : log.refetch())}
        />
      )}
      {log.data && records.length === 0 && (
        <EmptyState icon={<ScrollText size={24} />} title="Nothing recorded">
          {event === 'all' ? 'Sign-ins and changes appear here.' : 'No event matches the filters.'}
        </EmptyState>
      )}
      {records.length > 0 && <AuditTable records={records} />}
      {log.hasNextPage && (
        <div className="flex justify-center border-t border-line p-2">
          <Button variant="ghost" onClick={() => void log.fetchNextPage()} disabled={log.isFetchingNextPage}>
            {log.isFetchingNextPage ? 'Loading...' : 'Show older'}
          </Button>
        </div>
      )}
    </Panel>
  )
}

function useAudit(event: AuditEvent | 'all') {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: [getAudit.path, event],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      api.call(getAudit, {
        signal,
        query: {
          limit: pageSize,
          ...(pageParam !== undefined && { before: pageParam }),
          ...(event !== 'all' && { event }),
        },
      }),
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
}
