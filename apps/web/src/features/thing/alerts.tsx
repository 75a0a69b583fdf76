import { type Alert, type AlertHistoryEntry, getAlertHistory, historyLimits } from '@pulse/contract'
import { endWord } from '@pulse/domain'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CircleAlert, TriangleAlert } from 'lucide-react'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { useApi } from '../../api/api.tsx'
import { formatMoment, formatUptime } from '../../lib/format.ts'
import { useMoment } from '../../lib/moment.tsx'
import { useNow } from '../../lib/use-now.ts'
import { sameList, useLive } from '../../live/use-live.ts'
import { asOf, untilMoment } from '../../parts/alerts/of-then.ts'
import { TICK_MS } from '../../parts/cells/cells.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section, SectionBody, SectionLoading, SectionNote } from './section.tsx'

const againMs = 60_000
/** Firing ones are always shown. */
const mostPast = 8

interface AlertsProps {
  /** its id in alerts */
  resourceId: string
  name: string
}

/** The alerts that fire at the time of the page, and those before. */
export function Alerts({ resourceId, name }: AlertsProps) {
  const [isWhole, setWhole] = useState(false)
  const known = useLive(
    ['activeAlerts'],
    useCallback(
      (live) => [...live.records('activeAlerts').values()].filter((one) => one.resourceId === resourceId),
      [resourceId],
    ),
    sameList,
  )
  const history = usePastAlerts(resourceId, known)
  const { active, past, isCut } = useMemo(() => {
    const { ongoing = none, entries = none } = history.data ?? {}
    return {
      active: [...known, ...withoutThese(ongoing, known)],
      past: withoutThese(entries, known),
      isCut: ongoing.length + entries.length >= historyLimits.usual,
    }
  }, [history.data, known])
  const shown = isWhole ? past : past.slice(0, mostPast)
  return (
    <Section
      title="Alerts"
      count={active.length + past.length}
      isCut={isCut}
      more={{ to: `/alerts/history?${new URLSearchParams({ search: name })}`, text: 'Alert history' }}
    >
      {history.error && (
        <SectionBody>
          <Notice
            tone={history.data ? 'yellow' : 'red'}
            title="Past alerts could not be loaded"
            announce
            action={<Button onClick={() => void history.refetch()}>Retry</Button>}
          >
            {history.error.message}
          </Notice>
        </SectionBody>
      )}
      {active.length + past.length > 0 && (
        <ul aria-label={`Alerts of ${name}`} className="text-table">
          {active.toSorted(newestFirst).map((alert) => (
            <FiringAlert key={keyOf(alert)} alert={alert} />
          ))}
          {shown.map((entry) => (
            <PastAlert key={keyOf(entry)} entry={entry} />
          ))}
        </ul>
      )}
      {past.length > shown.length && (
        <div className="px-4 py-2">
          <Button onClick={() => setWhole(true)}>
            {isCut ? `Show the newest ${past.length} past alerts` : `Show all ${past.length} past alerts`}
          </Button>
        </div>
      )}
      {active.length + past.length === 0 &&
        (history.data ? (
          <SectionNote>No alerts in the last {historyLimits.retentionDays} days.</SectionNote>
        ) : (
          !history.error && <SectionLoading />
        ))}
    </Section>
  )
}

const none: readonly AlertHistoryEntry[] = []

/** Asks again when an alert fires or ends. */
function usePastAlerts(resourceId: string, active: readonly Alert[]) {
  const api = useApi()
  const moment = useMoment()
  const firing = active.map(keyOf).toSorted().join('\n')
  return useQuery({
    queryKey: [getAlertHistory.path, 'of one thing', resourceId, moment ?? firing],
    async queryFn({ signal }) {
      const query = { resourceId, limit: String(historyLimits.usual), ...untilMoment(moment) }
      return asOf(await api.call(getAlertHistory, { query, signal }), moment)
    },
    staleTime: againMs,
    refetchInterval: moment === undefined && againMs,
    placeholderData: keepPreviousData,
  })
}

const keyOf = ({ id, startTime }: Pick<Alert, 'id' | 'startTime'>) => `${startTime} ${id}`
const newestFirst = (a: Alert, b: Alert) => Date.parse(b.startTime) - Date.parse(a.startTime)

/** The history also has the alerts that fire. */
function withoutThese(
  history: readonly AlertHistoryEntry[],
  active: readonly Alert[],
): readonly AlertHistoryEntry[] {
  const firing = new Set(active.map(keyOf))
  return history.filter((entry) => !firing.has(keyOf(entry)))
}

function FiringAlert({ alert }: { alert: Alert }) {
  const startedAt = Date.parse(alert.startTime)
  const lasted = useNow(TICK_MS, (now) => formatUptime(Math.max(1, (now - startedAt) / 1000)))
  return (
    <Line
      level={alert.level}
      message={alert.message}
      startedAt={startedAt}
      lasted={lasted}
      state={
        <Badge tone={alert.acknowledged ? 'neutral' : 'red'}>
          {alert.acknowledged ? 'Acknowledged' : 'Active'}
        </Badge>
      }
    />
  )
}

const PastAlert = ({ entry }: { entry: AlertHistoryEntry }) => (
  <Line
    level={entry.peakLevel}
    message={entry.message}
    startedAt={Date.parse(entry.startTime)}
    lasted={formatUptime(Math.max(1, entry.duration))}
    state={<Badge>{entry.status === 'resolved' ? endWord(entry) : 'Ended'}</Badge>}
  />
)

interface LineProps {
  level: string
  message: string
  startedAt: number
  lasted: string
  state: ReactNode
}

function Line({ level, message, startedAt, lasted, state }: LineProps) {
  const isCritical = level === 'critical'
  const Icon = isCritical ? CircleAlert : TriangleAlert
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line px-4 py-1.5 last:border-b-0">
      <span className="flex min-w-0 flex-1 basis-72 items-center gap-2">
        <span
          role="img"
          aria-label={isCritical ? 'Critical' : 'Warning'}
          className={isCritical ? 'text-red' : 'text-yellow'}
        >
          <Icon aria-hidden size={14} />
        </span>
        <span className="min-w-0 break-words text-ink">{message}</span>
      </span>
      <span className="flex items-center gap-3 text-xs text-ink-3 tabular-nums max-sm:pl-6">
        <time dateTime={new Date(startedAt).toISOString()}>{formatMoment(startedAt)}</time>
        <span>for {lasted}</span>
        {state}
      </span>
    </li>
  )
}
