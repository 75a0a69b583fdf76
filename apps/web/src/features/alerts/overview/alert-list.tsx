import type { Alert } from '@pulse/contract'
import { CircleAlert, TriangleAlert } from 'lucide-react'
import { useSession } from '../../../api/session.tsx'
import { formatMoment, formatRelative } from '../../../lib/format.ts'
import { useNow } from '../../../lib/use-now.ts'
import { useEntity } from '../../../live/use-live.ts'
import { TICK_MS } from '../../../parts/cells.tsx'
import { Grid } from '../../../parts/grid/grid.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { tip } from '../../../ui/tooltip.tsx'
import { typeText } from '../type-text.ts'
import { useAskWhy } from '../why/ask-why.tsx'
import { useAcknowledgement } from './acknowledgement.tsx'

/** However many there are, those near the window exist. */
export function AlertList({ ids }: { ids: readonly string[] }) {
  return (
    <Grid
      label="Active alerts"
      columns={[]}
      sort={undefined}
      onSort={() => undefined}
      rows={ids}
      kindOf={() => ({ height: undefined, focusable: true })}
      renderRow={(id, { tabIndex }) => <AlertRow id={id} tabIndex={tabIndex} />}
      onActivate={() => undefined}
      minWidth={0}
      phone
      lower
    />
  )
}

interface AlertRowProps {
  id: string
  tabIndex: 0 | -1
}

function AlertRow({ id, tabIndex }: AlertRowProps) {
  const askWhy = useAskWhy()
  const alert = useEntity('activeAlerts', id)
  const { isAdmin } = useSession()
  const { isAcknowledged, isBusy, set } = useAcknowledgement()
  if (!alert) return null
  const acknowledged = isAcknowledged(alert)
  const isCritical = alert.level === 'critical'
  const Icon = isCritical ? CircleAlert : TriangleAlert
  const action = acknowledged ? 'Unacknowledge' : 'Acknowledge'
  return (
    <div
      role="gridcell"
      data-acknowledged={acknowledged}
      className={cx(
        'relative flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-2 pr-4 pl-10 text-table hover:bg-hover',
        acknowledged && 'text-ink-3',
      )}
    >
      {!acknowledged && (
        <span
          aria-hidden
          className={cx('absolute inset-y-0 left-0 w-[3px]', isCritical ? 'bg-red-fill' : 'bg-yellow-fill')}
        />
      )}
      <span
        role="img"
        aria-label={isCritical ? 'Critical' : 'Warning'}
        className={cx(
          'absolute top-2.5 left-4',
          acknowledged ? 'text-ink-3' : isCritical ? 'text-red' : 'text-yellow',
        )}
      >
        <Icon aria-hidden size={16} />
      </span>
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className={cx('line-clamp-2 font-semibold break-all', !acknowledged && 'text-ink')}>
            {alert.resourceName}
          </span>
          <Badge>{typeText(alert.type)}</Badge>
          {alert.node && alert.node !== alert.resourceName && (
            <span className="line-clamp-1 text-xs break-all text-ink-3">on {alert.node}</span>
          )}
          {acknowledged && <AcknowledgedBadge alert={alert} />}
        </p>
        <p className={cx('line-clamp-3 break-words', !acknowledged && 'text-ink-2')}>{alert.message}</p>
      </div>
      {/* below the text where there is no room beside it */}
      <div className="flex max-w-full grow items-center justify-end gap-1 sm:grow-0">
        <span className="mr-auto min-w-0 truncate pr-1 text-xs text-ink-3 tabular-nums">
          <span className="max-sm:sr-only">Started </span>
          <Started at={Date.parse(alert.startTime)} />
        </span>
        <Button
          variant="ghost"
          tabIndex={tabIndex}
          aria-label={`Why: ${alert.resourceName}`}
          onClick={() => askWhy({ alert: id, name: alert.resourceName })}
        >
          Why?
        </Button>
        {isAdmin && (
          <Button
            className="sm:min-w-32"
            tabIndex={tabIndex}
            aria-label={`${action} ${alert.resourceName}: ${alert.message}`}
            disabled={isBusy(id)}
            onClick={() => set(id, !acknowledged)}
          >
            {isBusy(id) ? 'Processing...' : action}
          </Button>
        )}
      </div>
    </div>
  )
}

function AcknowledgedBadge({ alert: { ackUser, ackTime } }: { alert: Alert }) {
  const by = [ackUser && `by ${ackUser}`, ackTime && formatMoment(Date.parse(ackTime))]
    .filter(Boolean)
    .join(', ')
  return (
    <span className="inline-flex" {...tip(by)}>
      <Badge>Acknowledged</Badge>
    </span>
  )
}

function Started({ at }: { at: number }) {
  const text = useNow(TICK_MS, (now) => formatRelative(at, now))
  return (
    <time dateTime={new Date(at).toISOString()} {...tip(formatMoment(at))}>
      {text}
    </time>
  )
}
