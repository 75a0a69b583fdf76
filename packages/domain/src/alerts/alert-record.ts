import type { Alert } from '@pulse/contract'
import { isEqual } from '../state/patch.ts'
import type { AlertLevel, Condition } from './condition.ts'

/** `lastSeen` is updated at this interval while nothing else changes. */
export const seenIntervalMs = 60_000

export const toIso = (ms: number): string => new Date(ms).toISOString()

/** The fields of an alert that its condition sets. */
function fieldsOf({ resource, site, ...condition }: Condition, level: AlertLevel): Partial<Alert> {
  return {
    ...(site !== undefined && { site }),
    level,
    resourceId: resource.id,
    resourceName: resource.name,
    node: resource.node,
    instance: resource.instance,
    message: condition.message,
    value: condition.value,
    threshold: condition.threshold,
    metadata: { ...condition.metadata, resourceType: resource.type },
  }
}

export function newAlert(condition: Condition, level: AlertLevel, since: number, now: number): Alert {
  const alert = {
    id: condition.id,
    type: condition.type,
    ...fieldsOf(condition, level),
    startTime: toIso(Math.min(since, now)),
    lastSeen: toIso(now),
    acknowledged: false,
  }
  return alert as Alert
}

/** The alert with its current condition; the same object when nothing visible changed. */
export function refreshed(alert: Alert, condition: Condition, level: AlertLevel): Alert {
  const now = fieldsOf(condition, level)
  if (isFlapping(alert)) now.metadata = { ...now.metadata, flapping: true }
  // The message already shows the figure.
  const isSameSite = alert.site === now.site
  const isSame = (Object.keys(now) as (keyof Alert)[]).every(
    (field) => field === 'value' || field === 'metadata' || isEqual(alert[field], now[field]),
  )
  if (isSame && isSameSite && isEqual(alert.metadata?.['clearThreshold'], now.metadata?.['clearThreshold']))
    return alert
  const { site: _site, ...rest } = alert
  return { ...rest, ...now }
}

export const isFlapping = ({ metadata }: Alert): boolean => metadata?.['flapping'] === true

export function withFlapping(alert: Alert, is: boolean): Alert {
  const { flapping: _, ...metadata } = alert.metadata ?? {}
  return { ...alert, metadata: is ? { ...metadata, flapping: true } : metadata }
}

export function acknowledged(alert: Alert, user: string, now: number): Alert {
  return { ...alert, acknowledged: true, ackTime: toIso(now), ackUser: user }
}

export function unacknowledged({ ackTime: _time, ackUser: _user, ...alert }: Alert): Alert {
  return { ...alert, acknowledged: false }
}
