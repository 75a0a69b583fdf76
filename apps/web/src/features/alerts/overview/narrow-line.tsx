import { nodeText } from '@pulse/domain'
import { ChangesBefore } from '../../../parts/changes/changes-before-link.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { cx } from '../../../ui/cx.ts'
import { AlertName } from '../alert-name.tsx'
import { typeText } from '../type-text.ts'
import { Acknowledge, AcknowledgedBadge } from './acknowledge.tsx'
import { Edge, frame, hasNode, LevelIcon, type LineProps, Selection, Started, Why } from './line-parts.tsx'

/** For phones, and for windows too narrow for columns. */
export function NarrowLine({ alert, acknowledged, ...props }: LineProps) {
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
            <Started alert={alert} tabIndex={tabIndex} short />
          </span>
        </span>
        <span className="flex min-w-0 items-center gap-1.5 overflow-clip text-xs">
          {acknowledged && <AcknowledgedBadge alert={alert} />}
          {hasNode(alert) && (
            <span
              className={cx('min-w-6 shrink-0 truncate text-ink-3', acknowledged ? 'max-w-14' : 'max-w-24')}
            >
              <span className="sr-only">on </span>
              {nodeText(alert)}
            </span>
          )}
          <span className={cx('min-w-0 truncate', !acknowledged && 'text-ink-2')}>{alert.message}</span>
        </span>
      </span>
      <span className="flex items-center">
        <ChangesBefore alert={alert} tabIndex={tabIndex} />
        <Why alert={alert} tabIndex={tabIndex} />
        <Acknowledge alert={alert} acknowledged={acknowledged} tabIndex={tabIndex} iconOnly />
      </span>
    </div>
  )
}
