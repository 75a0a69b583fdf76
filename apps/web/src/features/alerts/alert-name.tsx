import type { Alert } from '@pulse/contract'
import { cx } from '../../ui/cx.ts'
import { Link } from '../../ui/router/link.tsx'
import { alertLink } from './alert-link.ts'

interface AlertNameProps {
  alert: Alert
  /** used when the alert itself carries no resource type */
  resourceType?: string
  tabIndex: 0 | -1
  className: string
}

/** The resource an alert is about; the name links to its page. */
export function AlertName({ alert, resourceType, tabIndex, className }: AlertNameProps) {
  const to = alertLink(alert, resourceType)
  if (to === undefined) return <span className={className}>{alert.resourceName}</span>
  return (
    <Link to={to} tabIndex={tabIndex} className={cx(className, 'hover:text-accent hover:underline')}>
      {alert.resourceName}
    </Link>
  )
}
