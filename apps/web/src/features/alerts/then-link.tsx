import type { Alert } from '@pulse/contract'
import type { ReactNode } from 'react'
import { formatMoment } from '../../lib/format.ts'
import { useNow } from '../../lib/use-now.ts'
import { addressAt, momentOfAlert } from '../../parts/time-machine/address.ts'
import { reachMs } from '../../parts/time-machine/steps.ts'
import { useReachStart } from '../../parts/time-machine/use-reach.ts'
import { Link } from '../../ui/router/link.tsx'
import { tip } from '../../ui/tooltip.tsx'
import { alertLink } from './alert-link.ts'

interface ThenLinkProps {
  alert: Alert & { endTime?: string | undefined }
  /** used when the alert itself carries no resource type */
  resourceType?: string | undefined
  tabIndex: 0 | -1
  /** when it began, in words */
  children: ReactNode
}

const minuteMs = 60_000

/** The time at which an alert began. It opens the page of its resource as it was then, if the history reaches so far. */
export function ThenLink({ alert, resourceType, tabIndex, children }: ThenLinkProps) {
  const beganAt = Date.parse(alert.startTime)
  const endedAt = alert.endTime ? Date.parse(alert.endTime) : Infinity
  const start = useReachStart()
  const isReached = useNow(minuteMs, (now) => beganAt > Math.max(start ?? 0, now - reachMs))
  const at = useNow(minuteMs, (now) => momentOfAlert(beganAt, Math.min(endedAt, now)))
  const time = <time dateTime={alert.startTime}>{children}</time>
  if (!isReached) return <span {...tip(formatMoment(beganAt))}>{time}</span>
  const page = alertLink(alert, resourceType) ?? '/proxmox/overview'
  return (
    <Link
      to={addressAt(page, at)}
      tabIndex={tabIndex}
      className="hover:text-accent hover:underline"
      {...tip(`${formatMoment(beganAt)}\nShow the page at that time`)}
    >
      {time}
      <span className="sr-only">, show the page at that time</span>
    </Link>
  )
}
