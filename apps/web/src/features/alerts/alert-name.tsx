import type { Alert } from '@pulse/contract'
import { cx } from '../../ui/cx.ts'
import { Link } from '../../ui/router/link.tsx'
import { alertPlace } from './alert-place.ts'

interface AlertNameProps {
  alert: Alert
  /** where the alert does not say itself what it is about */
  resourceType?: string
  tabIndex: 0 | -1
  className: string
}

/** What an alert is about; the name leads to the page that shows it. */
export function AlertName({ alert, resourceType, tabIndex, className }: AlertNameProps) {
  const to = alertPlace(alert, resourceType)
  if (to === undefined) return <span className={className}>{alert.resourceName}</span>
  return (
    <Link to={to} tabIndex={tabIndex} className={cx(className, 'hover:text-accent hover:underline')}>
      {alert.resourceName}
    </Link>
  )
}
