import type { Alert } from '@pulse/contract'
import { nodeText } from '@pulse/domain'
import { Check, CircleAlert, CircleHelp, RotateCcw, TriangleAlert } from 'lucide-react'
import { useSession } from '../../../api/session.tsx'
import { formatMoment, formatRelative, formatSpan } from '../../../lib/format.ts'
import { useNow } from '../../../lib/use-now.ts'
import { useEntity } from '../../../live/use-live.ts'
import { TICK_MS } from '../../../parts/cells.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { tip } from '../../../ui/tooltip.tsx'
import { AlertName } from '../alert-name.tsx'
import { typeText } from '../type-text.ts'
import { useAskWhy } from '../why/ask-why.tsx'
import { useAcknowledgement } from './acknowledgement.tsx'
import { SelectBox } from './select-box.tsx'

interface AlertRowProps {
  id: string
  tabIndex: 0 | -1
  phone: boolean
  selected: boolean
  onSelect: (selected: boolean) => void
}

export function AlertRow(props: AlertRowProps) {
  const alert = useEntity('activeAlerts', props.id)
  const { isAcknowledged } = useAcknowledgement()
  if (!alert) return null
  const Line = props.phone ? PhoneLine : WideLine
  return <Line {...props} alert={alert} acknowledged={isAcknowledged(alert)} />
}

interface LineProps extends AlertRowProps {
  alert: Alert
  acknowledged: boolean
}

/** The tracks of all lines are the same, so that what stands in them forms columns. */
const tracks =
  'grid-cols-[1.5rem_1rem_minmax(6rem,1.1fr)_minmax(5.5rem,0.9fr)_minmax(3.5rem,0.7fr)_minmax(8rem,3fr)_6.75rem_auto]'

function WideLine({ alert, acknowledged, ...props }: LineProps) {
  const { tabIndex } = props
  return (
    <div role="gridcell" data-acknowledged={acknowledged} className={cx(frame(props, acknowledged), tracks)}>
      <Edge alert={alert} acknowledged={acknowledged} />
      <Selection alert={alert} acknowledged={acknowledged} {...props} />
      <LevelIcon alert={alert} acknowledged={acknowledged} />
      <AlertName
        alert={alert}
        tabIndex={tabIndex}
        className={cx('truncate font-semibold', !acknowledged && 'text-ink')}
      />
      <span className="flex min-w-0">
        <Badge className="max-w-full">
          <span className="truncate">{typeText(alert.type)}</span>
        </Badge>
      </span>
      <span className="truncate text-xs text-ink-3">
        {hasNode(alert) && (
          <>
            <span className="sr-only">on </span>
            {nodeText(alert)}
          </>
        )}
      </span>
      <span className="flex min-w-0 items-center gap-2">
        <span className={cx('truncate', !acknowledged && 'text-ink-2')} {...tip(alert.message, 420)}>
          {alert.message}
        </span>
        {acknowledged && <AcknowledgedBadge alert={alert} />}
      </span>
      <span className="truncate text-right text-xs text-ink-3 tabular-nums">
        <span className="sr-only">Started </span>
        <Started at={Date.parse(alert.startTime)} />
      </span>
      <span className="flex items-center justify-end gap-1">
        <Why alert={alert} tabIndex={tabIndex} />
        <Acknowledge alert={alert} acknowledged={acknowledged} tabIndex={tabIndex} />
      </span>
    </div>
  )
}

function PhoneLine({ alert, acknowledged, ...props }: LineProps) {
  const { tabIndex } = props
  return (
    <div
      role="gridcell"
      data-acknowledged={acknowledged}
      className={cx(frame(props, acknowledged), 'grid-cols-[1.5rem_1rem_1fr_auto]')}
    >
      <Edge alert={alert} acknowledged={acknowledged} />
      <Selection alert={alert} acknowledged={acknowledged} {...props} />
      <LevelIcon alert={alert} acknowledged={acknowledged} />
      <span className="flex min-w-0 flex-col">
        <span className="flex min-w-0 items-center gap-1.5">
          <AlertName
            alert={alert}
            tabIndex={tabIndex}
            className={cx('min-w-0 truncate font-semibold', !acknowledged && 'text-ink')}
          />
          <span className="flex min-w-10 shrink-[20]">
            <Badge className="max-w-full">
              <span className="truncate">{typeText(alert.type)}</span>
            </Badge>
          </span>
          <span className="ml-auto shrink-0 text-xs text-ink-3 tabular-nums">
            <span className="sr-only">Started </span>
            <Started at={Date.parse(alert.startTime)} short />
          </span>
        </span>
        <span className="flex min-w-0 items-center gap-1.5 text-xs">
          {hasNode(alert) && (
            <span className="max-w-24 min-w-6 shrink-0 truncate text-ink-3">
              <span className="sr-only">on </span>
              {nodeText(alert)}
            </span>
          )}
          <span className={cx('min-w-0 truncate', !acknowledged && 'text-ink-2')}>{alert.message}</span>
        </span>
      </span>
      <span className="flex items-center">
        <Why alert={alert} tabIndex={tabIndex} />
        <Acknowledge alert={alert} acknowledged={acknowledged} tabIndex={tabIndex} iconOnly />
      </span>
    </div>
  )
}

const frame = ({ selected }: Pick<AlertRowProps, 'selected'>, acknowledged: boolean) =>
  cx(
    'relative grid h-full items-center gap-x-2.5 border-b border-line pr-2 pl-3 text-table',
    selected ? 'bg-accent-soft' : 'hover:bg-hover',
    acknowledged && 'text-ink-3',
  )

/** PBS and mail gateways are their own node. */
const hasNode = (alert: Alert) => !['', alert.resourceName].includes(nodeText(alert))

interface PartProps {
  alert: Alert
  acknowledged: boolean
}

const isCritical = ({ level }: Alert) => level === 'critical'

const Edge = ({ alert, acknowledged }: PartProps) =>
  !acknowledged && (
    <span
      aria-hidden
      className={cx(
        'absolute inset-y-0 left-0 w-[3px]',
        isCritical(alert) ? 'bg-red-fill' : 'bg-yellow-fill',
      )}
    />
  )

function LevelIcon({ alert, acknowledged }: PartProps) {
  const Icon = isCritical(alert) ? CircleAlert : TriangleAlert
  return (
    <span
      role="img"
      aria-label={isCritical(alert) ? 'Critical' : 'Warning'}
      className={acknowledged ? 'text-ink-3' : isCritical(alert) ? 'text-red' : 'text-yellow'}
    >
      <Icon aria-hidden size={16} />
    </span>
  )
}

/** Acknowledged ones have nothing to be selected for; the room stays. */
function Selection({
  alert,
  acknowledged,
  selected,
  tabIndex,
  onSelect,
}: PartProps & Pick<AlertRowProps, 'selected' | 'tabIndex' | 'onSelect'>) {
  const { isAdmin } = useSession()
  if (!isAdmin || acknowledged) return <span />
  return (
    <SelectBox
      label={`Select ${alert.resourceName}: ${alert.message}`}
      checked={selected}
      tabIndex={tabIndex}
      onChange={onSelect}
    />
  )
}

function Why({ alert, tabIndex }: { alert: Alert; tabIndex: 0 | -1 }) {
  const askWhy = useAskWhy()
  return (
    <IconButton
      label={`Why: ${alert.resourceName}`}
      className="size-7"
      tabIndex={tabIndex}
      onClick={() => askWhy({ alert: alert.id, name: alert.resourceName, text: alert.message })}
      {...tip('Why this alert?')}
    >
      <CircleHelp aria-hidden size={15} />
    </IconButton>
  )
}

interface AcknowledgeProps extends PartProps {
  tabIndex: 0 | -1
  iconOnly?: boolean
}

function Acknowledge({ alert, acknowledged, tabIndex, iconOnly = false }: AcknowledgeProps) {
  const { isAdmin } = useSession()
  const { isBusy, set } = useAcknowledgement()
  if (!isAdmin) return null
  const { id, resourceName, message } = alert
  const action = acknowledged ? 'Unacknowledge' : 'Acknowledge'
  const Icon = acknowledged ? RotateCcw : Check
  return (
    <Button
      variant={iconOnly ? 'secondary' : 'ghost'}
      className={cx('h-7', iconOnly ? 'w-9 px-0' : 'px-2 max-lg:w-9 lg:min-w-28')}
      tabIndex={tabIndex}
      aria-label={`${action} ${resourceName}: ${message}`}
      disabled={isBusy(id)}
      onClick={() => set(id, !acknowledged)}
    >
      <Icon aria-hidden size={16} className={cx('shrink-0', !iconOnly && 'lg:hidden')} />
      <span className={iconOnly ? 'sr-only' : 'max-lg:sr-only'}>{isBusy(id) ? 'Processing...' : action}</span>
    </Button>
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

/** `2 minutes ago`; in short `2 min`. */
function Started({ at, short = false }: { at: number; short?: boolean }) {
  const text = useNow(TICK_MS, (now) => (short ? formatSpan((now - at) / 1000) : formatRelative(at, now)))
  return (
    <time dateTime={new Date(at).toISOString()} {...tip(formatMoment(at))}>
      {text}
    </time>
  )
}
