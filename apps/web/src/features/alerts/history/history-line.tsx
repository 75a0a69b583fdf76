import { nodeText } from '@pulse/domain'
import { CircleAlert, TriangleAlert } from 'lucide-react'
import { memo } from 'react'
import { useNow } from '../../../lib/use-now.ts'
import { cellClass, TICK_MS } from '../../../parts/cells/cells.tsx'
import { ChangesBefore } from '../../../parts/changes/changes-before-link.tsx'
import { rowClass } from '../../../parts/grid/columns.ts'
import { Badge } from '../../../ui/badge.tsx'
import { cx } from '../../../ui/cx.ts'
import { tip } from '../../../ui/tooltip.tsx'
import { AlertName } from '../alert-name.tsx'
import { ThenLink } from '../then-link.tsx'
import { durationText, type HistoryRow, resourceTypeOf, statusText } from './row.ts'

interface LineProps {
  row: HistoryRow
  /** resource types by name */
  named: ReadonlyMap<string, string>
  tabIndex: 0 | -1
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })
const truncated = cellClass('truncate')

export const HistoryLine = memo(function HistoryLine({ row, named, tabIndex }: LineProps) {
  const { alert, startedAt, level } = row
  return (
    <div className={rowClass('border-b border-line hover:bg-hover')}>
      <div role="gridcell" className={cellClass('pl-3 whitespace-nowrap text-ink-2 tabular-nums')}>
        <ThenLink alert={alert} resourceType={resourceTypeOf(alert, named)} tabIndex={tabIndex}>
          {clock.format(startedAt)}
        </ThenLink>
      </div>
      <div role="gridcell" className={cx(truncated, 'font-medium')}>
        <AlertName
          alert={alert}
          resourceType={resourceTypeOf(alert, named)}
          tabIndex={tabIndex}
          className=""
        />
      </div>
      <div role="gridcell" className={cx(truncated, 'text-ink-2')}>
        {resourceTypeOf(alert, named)}
      </div>
      <div role="gridcell" className={cellClass('flex items-center')}>
        <Level level={level} />
      </div>
      <div role="gridcell" className={cx(truncated, 'text-ink-2')} {...tip(alert.message, 320)}>
        {alert.message}
      </div>
      <div role="gridcell" className={cellClass('whitespace-nowrap tabular-nums')}>
        <Duration row={row} />
      </div>
      <div role="gridcell" className={cellClass('flex items-center')}>
        <Status row={row} />
      </div>
      <div role="gridcell" className={cellClass('flex items-center gap-1 text-ink-2')}>
        <span className="min-w-0 flex-1 truncate">{nodeText(alert) || '—'}</span>
        <ChangesBefore alert={alert} tabIndex={tabIndex} />
      </div>
    </div>
  )
})

export const PhoneHistoryLine = memo(function PhoneHistoryLine({ row, named, tabIndex }: LineProps) {
  const { alert, startedAt, level } = row
  return (
    <div className="grid h-full grid-rows-3 items-center border-b border-line px-3 py-1.5 text-xs">
      <div role="gridcell" className="flex min-w-0 items-center gap-2 text-table">
        <Level level={level} iconOnly />
        <AlertName
          alert={alert}
          resourceType={resourceTypeOf(alert, named)}
          tabIndex={tabIndex}
          className="min-w-0 truncate font-medium"
        />
        <span className="shrink-0 text-xs text-ink-3">{resourceTypeOf(alert, named)}</span>
        <span className="ml-auto shrink-0">
          <Status row={row} />
        </span>
      </div>
      <div role="gridcell" className="truncate text-ink-2">
        {alert.message}
      </div>
      <div role="gridcell" className="flex items-center gap-3 text-ink-3 tabular-nums">
        <ThenLink alert={alert} resourceType={resourceTypeOf(alert, named)} tabIndex={tabIndex}>
          {clock.format(startedAt)}
        </ThenLink>
        <Duration row={row} />
        <span className="min-w-0 flex-1 truncate">{nodeText(alert)}</span>
        <ChangesBefore alert={alert} tabIndex={tabIndex} />
      </div>
    </div>
  )
})

function Level({ level, iconOnly = false }: { level: HistoryRow['level']; iconOnly?: boolean }) {
  const isCritical = level === 'critical'
  const Icon = isCritical ? CircleAlert : TriangleAlert
  return (
    <span className={cx('inline-flex items-center gap-1 text-xs', isCritical ? 'text-red' : 'text-yellow')}>
      <Icon aria-hidden size={13} className="shrink-0" />
      <span className={iconOnly ? 'sr-only' : undefined}>{isCritical ? 'Critical' : 'Warning'}</span>
    </span>
  )
}

function Duration({ row }: { row: HistoryRow }) {
  const text = useNow(TICK_MS, (now) => durationText(row, now))
  return <span>{text}</span>
}

function Status({ row }: { row: HistoryRow }) {
  const { status, alert } = row
  const hint = [alert.ackUser && `Acknowledged by ${alert.ackUser}`, alert.endNote].filter(Boolean).join('. ')
  return (
    <span className="inline-flex" {...tip(hint || undefined)}>
      <Badge tone={status === 'active' ? 'red' : 'neutral'}>{statusText(row)}</Badge>
    </span>
  )
}
