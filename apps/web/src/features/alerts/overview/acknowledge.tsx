import { Check, Loader, RotateCcw } from 'lucide-react'
import { useSession } from '../../../api/session.tsx'
import { formatMoment } from '../../../lib/format.ts'
import { useReadOnlyReason } from '../../../lib/moment.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { tip } from '../../../ui/tooltip.tsx'
import { useAcknowledgement } from './acknowledgement.tsx'
import type { PartProps } from './line-parts.tsx'

interface AcknowledgeProps extends PartProps {
  tabIndex: 0 | -1
  iconOnly?: boolean
}

/**
 * Shows an icon where the list is narrow; the label stays for screen readers. As wide as its widest label, so
 * that no column moves when the label changes.
 */
export function Acknowledge({ alert, acknowledged, tabIndex, iconOnly = false }: AcknowledgeProps) {
  const { isAdmin } = useSession()
  const { isBusy, set } = useAcknowledgement()
  const readOnly = useReadOnlyReason()
  if (!isAdmin) return null
  const { id, resourceName, message } = alert
  const busy = isBusy(id)
  const action = busy ? 'Processing...' : acknowledged ? 'Unacknowledge' : 'Acknowledge'
  const Icon = busy ? Loader : acknowledged ? RotateCcw : Check
  return (
    <Button
      variant={iconOnly ? 'secondary' : 'ghost'}
      className={cx('h-7', iconOnly ? 'w-9 px-0' : 'w-9 px-2 @min-[54rem]:w-32')}
      tabIndex={tabIndex}
      aria-label={`${action} ${resourceName}: ${message}`}
      disabled={busy || readOnly !== undefined}
      onClick={() => set(id, !acknowledged)}
      {...tip(readOnly)}
    >
      <Icon
        aria-hidden
        size={16}
        className={cx('shrink-0', busy && 'spin', !iconOnly && '@min-[54rem]:hidden')}
      />
      <span className={iconOnly ? 'sr-only' : '@max-[54rem]:sr-only'}>{action}</span>
    </Button>
  )
}

export function AcknowledgedBadge({ alert: { ackUser, ackTime } }: Pick<PartProps, 'alert'>) {
  const by = [ackUser && `by ${ackUser}`, ackTime && formatMoment(Date.parse(ackTime))]
    .filter(Boolean)
    .join(', ')
  return (
    <span className="inline-flex" {...tip(by)}>
      <Badge>Acknowledged</Badge>
    </span>
  )
}
