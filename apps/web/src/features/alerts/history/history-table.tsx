import { useMemo } from 'react'
import { dayLabel, dayOf } from '../../../lib/days.ts'
import { formatMoment, formatNumber } from '../../../lib/format.ts'
import { useTextScale } from '../../../lib/text-scale.ts'
import { useNow } from '../../../lib/use-now.ts'
import { useLive } from '../../../live/use-live.ts'
import { useRowHeight } from '../../../parts/screen/density.tsx'
import type { GridColumn } from '../../../parts/grid/columns.ts'
import { Grid, type RowKind } from '../../../parts/grid/grid.tsx'
import { GroupFrame } from '../../../parts/node-summary/group-head.tsx'
import { usePhone } from '../../../parts/screen/use-media.ts'
import { useAskWhy } from '../why/ask-why.tsx'
import { HistoryLine, PhoneHistoryLine } from './history-line.tsx'
import { hasResourceType, type HistoryRow, namedKinds, typesByName } from './row.ts'
import { type TableRow, underDays } from './shown-rows.ts'

const column = (id: string, header: string, track: string): GridColumn => ({
  id,
  header,
  track,
  firstDirection: 'asc',
  unsorted: true,
})

const columns: readonly GridColumn[] = [
  column('time', 'Timestamp', '6.75rem'),
  column('resource', 'Resource', 'minmax(8rem, 1.2fr)'),
  column('type', 'Type', '8rem'),
  column('level', 'Severity', '5.5rem'),
  column('message', 'Message', 'minmax(14rem, 3fr)'),
  column('duration', 'Duration', '5.5rem'),
  column('status', 'Status', '9.5rem'),
  column('node', 'Node', 'minmax(6rem, 1fr)'),
]

/** px */
const MIN_WIDTH = 1080
const PHONE_HEIGHT = 80

/** Grouped by day; virtualized. */
export function HistoryTable({ rows }: { rows: readonly HistoryRow[] }) {
  const phone = usePhone()
  const scale = useTextScale()
  const rowHeight = useRowHeight()
  const askWhy = useAskWhy()
  // the server usually sends the resource type
  const asksNames = useMemo(() => rows.some(({ alert }) => !hasResourceType(alert)), [rows])
  const named = useLive(asksNames ? namedKinds : [], asksNames ? typesByName : noNames, sameNames)
  const shown = useMemo(() => underDays(rows), [rows])
  const byKey = useMemo(() => new Map(rows.map((row) => [row.key, row])), [rows])
  const sizes = useMemo(() => countDays(rows), [rows])
  const kindOf = (key: TableRow): RowKind =>
    key.startsWith('day:') ? { focusable: false, pins: true, level: 1 } : { focusable: true, level: 2 }
  const lineHeight = phone ? Math.round(PHONE_HEIGHT * scale) : rowHeight
  const ask = (key: TableRow) => {
    const row = byKey.get(key.slice('alert:'.length))
    if (!row) return
    const { alert, startedAt } = row
    askWhy({
      alert: alert.id,
      name: `${alert.resourceName}, ${formatMoment(startedAt)}`,
      text: alert.message,
    })
  }
  return (
    <Grid
      label="Alert history"
      columns={columns}
      sort={undefined}
      onSort={() => undefined}
      rows={shown}
      kindOf={kindOf}
      heightOf={(key) => (key.startsWith('day:') ? rowHeight : lineHeight)}
      onActivate={ask}
      minWidth={MIN_WIDTH}
      phone={phone}
      lower
      renderRow={(key, { tabIndex }) => {
        if (key.startsWith('day:')) {
          const day = key.slice('day:'.length)
          return <DayHead day={day} count={sizes.get(day) ?? 0} />
        }
        const row = byKey.get(key.slice('alert:'.length))
        if (!row) return null
        const Line = phone ? PhoneHistoryLine : HistoryLine
        return <Line row={row} named={named} tabIndex={tabIndex} />
      }}
    />
  )
}

const empty: ReadonlyMap<string, string> = new Map()
const noNames = () => empty

const sameNames = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].every(([name, type]) => b.get(name) === type)

function countDays(rows: readonly HistoryRow[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { startedAt } of rows) counts.set(dayOf(startedAt), (counts.get(dayOf(startedAt)) ?? 0) + 1)
  return counts
}

function DayHead({ day, count }: { day: string; count: number }) {
  const label = useNow(60_000, (now) => dayLabel(day, now))
  return (
    <GroupFrame colSpan={columns.length}>
      <span className="flex h-full items-center gap-2 px-3">
        <span className="font-medium text-ink">{label}</span>
        <span className="text-ink-3 tabular-nums">
          {formatNumber(count)} {count === 1 ? 'alert' : 'alerts'}
        </span>
      </span>
    </GroupFrame>
  )
}
