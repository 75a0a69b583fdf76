import { type AlertHistoryEntry, deleteAlertHistory, getAlertHistory } from '@pulse/contract'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { History, Search, Trash2 } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { useSession } from '../../../api/session.tsx'
import { useChange } from '../../../api/use-change.ts'
import { formatMoment, formatNumber } from '../../../lib/format.ts'
import { log } from '../../../lib/log.ts'
import { useClock, useMoment, useReadOnlyReason } from '../../../lib/moment.tsx'
import { useLive } from '../../../live/use-live.ts'
import { asOf, untilMoment } from '../../../parts/alerts/of-then.ts'
import { PageKeys } from '../../../parts/keys/page-keys.tsx'
import { tableKeys } from '../../../parts/keys/table-keys.ts'
import { SearchBox } from '../../../parts/search/search-box.tsx'
import { SiteTips } from '../../../parts/search/site-tips.tsx'
import { usePreferenceInAddress } from '../use-preference-in-address.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { LoadFailed, LoadingRows } from '../../../ui/panel.tsx'
import { useAddressText } from '../../../ui/router/use-address-text.ts'
import { SegmentedToggle } from '../../../ui/segmented-toggle.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { tip } from '../../../ui/tooltip.tsx'
import { toBuckets } from './buckets.ts'
import { HistoryChart } from './chart.tsx'
import { HistoryTable } from './history-table.tsx'
import { historyQuery, type Period, periods } from './period.ts'
import { toRows } from './row.ts'
import { filterRows, inRange } from './shown-rows.ts'
import { useRange } from './use-range.ts'
import { useRenewed } from './use-renewed.ts'

const levels = [
  { value: 'all', label: 'All' },
  { value: 'critical', label: 'Critical' },
  { value: 'warning', label: 'Warning' },
] as const

/** Past alerts, with their duration. */
export default function HistorySection() {
  const [period, setPeriod] = usePreferenceInAddress('period', 'alertHistoryPeriod')
  const [level, setLevel] = usePreferenceInAddress('level', 'alertHistoryLevel')
  const [search, setSearch] = useAddressText('search')
  const [range, setRange] = useRange()
  const { isAdmin } = useSession()
  const input = useRef<HTMLInputElement>(null)
  const wanted = useDeferredValue(search)
  const { data, error, isLoading, reload } = useHistory(period)
  const active = useLive(['activeAlerts'], (live) => [...live.records('activeAlerts').values()], sameMembers)
  const now = data?.loadedAt ?? 0
  const rows = useMemo(
    () => toRows([...(data?.ongoing ?? []), ...active], data?.entries ?? []),
    [active, data],
  )
  const found = useMemo(
    () => filterRows(rows, { period, level, search: wanted, now }),
    [rows, period, level, wanted, now],
  )
  const chart = useMemo(() => toBuckets(found, period, now), [found, period, now])
  const shown = useMemo(() => inRange(found, range), [found, range])
  const clearRange = () => setRange(undefined)
  const backOut = () => {
    setSearch('')
    clearRange()
  }

  return (
    <>
      <PageKeys keys={tableKeys} focusSearch={() => input.current?.focus()} onEscape={backOut} />
      <div className="flex flex-wrap items-center gap-2">
        <SegmentedToggle
          label="Period"
          value={period}
          options={periods}
          onChange={(chosen) => {
            setPeriod(chosen)
            clearRange()
          }}
        />
        <SegmentedToggle
          label="Severity"
          value={level}
          options={levels}
          onChange={(chosen) => {
            setLevel(chosen)
            clearRange()
          }}
        />
        <div className="flex min-w-0 flex-1 basis-60">
          <SearchBox
            label="Search alerts"
            placeholder="Search by resource, message, type or node"
            value={search}
            onChange={setSearch}
            history="alerts"
            inputRef={input}
            tips={<SiteTips intro="Type any part of a resource, message, type or node." things="alerts" />}
          />
        </div>
      </div>
      {isLoading ? (
        <>
          <Card className="px-4 py-3">
            <p className="flex h-6 items-center text-xs text-ink-3">Loading alert history...</p>
            <Skeleton className="mt-1 mb-5 h-24 w-full" />
          </Card>
          <Card>
            <LoadingRows label="Loading alert history..." count={10} />
          </Card>
        </>
      ) : !data ? (
        <Card>
          <LoadFailed
            title="Alert history could not be loaded"
            reason={error?.message ?? ''}
            onRetry={reload}
          />
        </Card>
      ) : (
        <>
          {error && (
            <Notice
              tone="yellow"
              title="Alert history could not be refreshed"
              action={<Button onClick={reload}>Retry</Button>}
            >
              Shown as of {formatMoment(now)}.
            </Notice>
          )}
          <Card className="px-4 py-3">
            <HistoryChart {...chart} selected={range} onSelect={setRange} />
          </Card>
          <Card aria-label="Alert history" className="overflow-clip">
            {shown.length > 0 ? (
              <HistoryTable rows={shown} />
            ) : (
              <EmptyState
                title="No alerts found"
                icon={rows.length > 0 ? <Search size={24} /> : <History size={24} />}
              >
                {rows.length > 0 ? 'Nothing matches these filters.' : 'Nothing has fired in this period.'}
              </EmptyState>
            )}
          </Card>
          <footer className="flex flex-wrap items-center gap-3 text-xs text-ink-3">
            <span className="tabular-nums">
              {shown.length < rows.length && `${formatNumber(shown.length)} of `}
              {formatNumber(rows.length)} {rows.length === 1 ? 'alert' : 'alerts'}
            </span>
            <span className="ml-auto">{isAdmin && <ClearHistory />}</span>
          </footer>
        </>
      )}
    </>
  )
}

/** Unchanged records keep their identity. */
const sameMembers = <T,>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((one, at) => one === b[at])

/** Irreversible; a dialog asks for confirmation. */
function ClearHistory() {
  const api = useApi()
  const queries = useQueryClient()
  const readOnly = useReadOnlyReason()
  const [asks, setAsks] = useState(false)
  const clear = useChange({
    mutationFn: () => api.call(deleteAlertHistory),
    onSuccess: () => queries.invalidateQueries({ queryKey: [getAlertHistory.path] }),
    onError(error) {
      log.warn('The alert history could not be cleared', error)
      toast.error('Error clearing alert history. Please check your connection and try again.')
    },
    onSettled: () => setAsks(false),
  })
  return (
    <>
      <span className="inline-flex" {...tip(readOnly)}>
        <Button
          onClick={() => setAsks(true)}
          disabled={readOnly !== undefined}
          className="border-red text-red hover:bg-red-soft"
        >
          <Trash2 aria-hidden size={14} />
          Clear All History
        </Button>
      </span>
      <ConfirmDialog
        open={asks}
        onClose={() => setAsks(false)}
        title="Clear all alert history?"
        action="Clear All History"
        busyAction="Clearing..."
        busy={clear.isPending}
        onConfirm={() => clear.mutate()}
      >
        <p>This permanently deletes all historical alert data and cannot be undone.</p>
      </ConfirmDialog>
    </>
  )
}

const renewMs = 60_000

interface LoadedHistory {
  /** over at the moment of the page */
  entries: readonly AlertHistoryEntry[]
  ongoing: readonly AlertHistoryEntry[]
  /** epoch ms */
  loadedAt: number
}

/** Keyed by period, so that a late answer for another period is ignored. */
function useHistory(period: Period) {
  const api = useApi()
  const clock = useClock()
  const moment = useMoment()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [getAlertHistory.path, period, moment],
    async queryFn({ signal }): Promise<LoadedHistory> {
      const loadedAt = clock()
      const { limit, startTime } = historyQuery(period, loadedAt)
      const query = { limit: String(limit), ...(startTime && { startTime }), ...untilMoment(moment) }
      const entries = await api.call(getAlertHistory, { query, signal })
      return { ...asOf(entries, moment), loadedAt }
    },
    // the former moment stays until the next one is there
    ...(moment !== undefined && { placeholderData: keepPreviousData }),
    refetchInterval: moment === undefined && renewMs,
  })
  useRenewed(() => void refetch())
  useEffect(() => {
    if (error) log.warn('The alert history could not be loaded', error)
  }, [error])
  return { data, error, isLoading: isPending, reload: () => void refetch() }
}
