import type { Alert } from '@pulse/contract'
import { useCallback } from 'react'
import { useLive } from '../../live/use-live.ts'
import { storeIdOf } from '../../parts/thing/thing-ids.ts'
import { thingPath } from '../../parts/thing/thing-path.ts'
import { cx } from '../../ui/cx.ts'
import { Link } from '../../ui/router/link.tsx'
import { alertLink, thingKind } from './alert-link.ts'

interface AlertNameProps {
  alert: Alert
  /** used when the alert itself carries no resource type */
  resourceType?: string
  tabIndex: 0 | -1
  className: string
}

/** The resource an alert is about; the name links to its page. */
export function AlertName({ alert, resourceType, tabIndex, className }: AlertNameProps) {
  const own = useOwnPage(alert, resourceType)
  const to = own ?? alertLink(alert, resourceType)
  if (to === undefined) return <span className={className}>{alert.resourceName}</span>
  return (
    <Link to={to} tabIndex={tabIndex} className={cx(className, 'hover:text-accent hover:underline')}>
      {alert.resourceName}
    </Link>
  )
}

/** The page of its guest or node, while that exists. */
function useOwnPage(alert: Alert, resourceType?: string): string | undefined {
  const { resourceId } = alert
  const kind = thingKind(alert, resourceType)
  return useLive(
    kind ? [kind] : [],
    useCallback(
      (live) => {
        const id = kind && storeIdOf(live, kind, resourceId)
        return id === undefined ? undefined : thingPath(kind!, id)
      },
      [kind, resourceId],
    ),
  )
}
