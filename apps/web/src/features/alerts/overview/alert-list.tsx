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
        'relative flex flex-wrap items-start gap-x-3 gap-y-2 border-b border-line px-4 py-3 text-table hover:bg-hover',
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
          'mt-0.5 shrink-0',
          acknowledged ? 'text-ink-3' : isCritical ? 'text-red' : 'text-yellow',
        )}
      >
        <Icon aria-hidden size={16} />
      </span>
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className={cx('font-semibold break-all', !acknowledged && 'text-ink')}>
            {alert.resourceName}
          </span>
          <Badge>{typeText(alert.type)}</Badge>
          {alert.node && alert.node !== alert.resourceName && (
            <span className="text-xs break-all text-ink-3">on {alert.node}</span>
          )}
          {acknowledged && <AcknowledgedBadge alert={alert} />}
        </p>
        <p className={cx('break-words', !acknowledged && 'text-ink-2')}>{alert.message}</p>
        <p className="text-xs text-ink-3">
          Started <Started at={Date.parse(alert.startTime)} />
        </p>
      </div>
      <span className="ml-auto flex shrink-0 items-center gap-1">
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
            tabIndex={tabIndex}
            aria-label={`${action} ${alert.resourceName}: ${alert.message}`}
            disabled={isBusy(id)}
            onClick={() => set(id, !acknowledged)}
          >
            {isBusy(id) ? 'Processing...' : action}
          </Button>
        )}
      </span>
    </div>
  )
}

function AcknowledgedBadge({ alert: { ackUser, ackTime } }: { alert: Alert }) {
  const by = [ackUser && `by ${ackUser}`, ackTime && formatMoment(Date.parse(ackTime))]
    .filter(Boolean)
    .join(', ')
  return (
    <span className="inline-flex" {...tip(by)}>
      <Badge tone="green">Acknowledged</Badge>
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
