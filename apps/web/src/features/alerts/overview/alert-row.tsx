import { nodeText } from '@pulse/domain'
import { useEntity } from '../../../live/use-live.ts'
import { ChangesBefore } from '../../../parts/changes/changes-before-link.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { cx } from '../../../ui/cx.ts'
import { tip } from '../../../ui/tooltip.tsx'
import { AlertName } from '../alert-name.tsx'
import { typeText } from '../type-text.ts'
import { Acknowledge, AcknowledgedBadge } from './acknowledge.tsx'
import { useAcknowledgement } from './acknowledgement.tsx'
import {
  type AlertRowProps,
  Edge,
  frame,
  hasNode,
  LevelIcon,
  type LineProps,
  Selection,
  Started,
  Why,
} from './line-parts.tsx'
import { NarrowLine } from './narrow-line.tsx'

export function AlertRow(props: AlertRowProps) {
  const alert = useEntity('activeAlerts', props.id)
  const { isAcknowledged } = useAcknowledgement()
  if (!alert) return null
  const Line = props.narrow ? NarrowLine : WideLine
  return <Line {...props} alert={alert} acknowledged={isAcknowledged(alert)} />
}

/** All rows use the same tracks, so that their cells align. */
const tracks =
  'grid-cols-[1.5rem_1rem_minmax(5.75rem,1fr)_minmax(4.75rem,0.6fr)_minmax(3rem,0.4fr)_minmax(8rem,4fr)_3.5rem_auto] lg:grid-cols-[1.5rem_1rem_minmax(6rem,1.1fr)_minmax(5.5rem,0.9fr)_minmax(3.5rem,0.7fr)_minmax(8rem,3fr)_6.75rem_auto]'

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
        <Started alert={alert} tabIndex={tabIndex} />
      </span>
      <span className="flex items-center justify-end lg:gap-1">
        <ChangesBefore alert={alert} tabIndex={tabIndex} />
        <Why alert={alert} tabIndex={tabIndex} />
        <Acknowledge alert={alert} acknowledged={acknowledged} tabIndex={tabIndex} />
      </span>
    </div>
  )
}
