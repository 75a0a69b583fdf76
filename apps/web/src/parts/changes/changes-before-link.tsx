import type { Alert } from '@pulse/contract'
import { FileClock } from 'lucide-react'
import { Link } from '../../ui/router/link.tsx'
import { tip } from '../../ui/tooltip.tsx'
import { changesBefore } from './changes-before.ts'

interface ChangesBeforeProps {
  alert: Pick<Alert, 'startTime' | 'resourceName'>
  tabIndex: 0 | -1
}

/** One click to what changed in the day before the alert. */
export function ChangesBefore({ alert, tabIndex }: ChangesBeforeProps) {
  return (
    <Link
      to={changesBefore(Date.parse(alert.startTime))}
      tabIndex={tabIndex}
      aria-label={`What changed before: ${alert.resourceName}`}
      className="inline-flex size-7 shrink-0 items-center justify-center rounded text-ink-2 hover:bg-hover hover:text-ink"
      {...tip('What changed before this alert')}
    >
      <FileClock aria-hidden size={15} />
    </Link>
  )
}
