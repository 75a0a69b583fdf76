import { getAlertHistory, getAlertHistoryCount } from '@pulse/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Bell, CircleCheck, History, type LucideIcon, SlidersHorizontal } from 'lucide-react'
import { useApi } from '../../../api/api.tsx'
import { formatNumber, MISSING } from '../../../lib/format.ts'
import { useClock, useMoment } from '../../../lib/moment.tsx'
import { useConfig } from '../config-edits.tsx'
import { historyQuery } from '../history/period.ts'
import { untilMoment } from '../../../parts/alerts/of-then.ts'
import { useRenewed } from '../history/use-renewed.ts'
import { countOverrides } from '../thresholds/absent.ts'

const renewMs = 60_000

interface FiguresProps {
  /** not acknowledged */
  active: number
  acknowledged: number
}

export function Figures({ active, acknowledged }: FiguresProps) {
  const { config } = useConfig()
  const api = useApi()
  const clock = useClock()
  const moment = useMoment()
  const { data, refetch } = useQuery({
    queryKey: [getAlertHistory.path, 'last day', moment],
    async queryFn({ signal }) {
      const { startTime } = historyQuery('24h', clock())
      const query = { ...(startTime && { startTime }), ...untilMoment(moment) }
      return (await api.call(getAlertHistoryCount, { query, signal })).count
    },
    placeholderData: keepPreviousData,
    refetchInterval: moment === undefined && renewMs,
  })
  useRenewed(() => void refetch())
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      <Figure label="Active Alerts" Icon={Bell} count={active} tone={active > 0 ? 'text-red' : ''} />
      <Figure label="Acknowledged" Icon={CircleCheck} count={acknowledged} />
      <Figure label="Last 24 Hours" Icon={History} count={data} />
      <Figure label="Guest Overrides" Icon={SlidersHorizontal} count={countOverrides(config, 'guests')} />
    </dl>
  )
}

interface FigureProps {
  label: string
  Icon: LucideIcon
  /** undefined until loaded */
  count: number | undefined
  tone?: string
}

function Figure({ label, Icon, count, tone = '' }: FigureProps) {
  return (
    <div className="flex flex-col-reverse rounded-lg border border-line bg-surface px-4 py-3">
      <dt className="flex items-center gap-1.5 text-xs text-ink-2">
        <Icon aria-hidden size={14} className="shrink-0 text-ink-3" />
        <span className="truncate">{label}</span>
      </dt>
      <dd className={`text-lg font-semibold tabular-nums ${tone}`}>
        {count === undefined ? MISSING : formatNumber(count)}
      </dd>
    </div>
  )
}
