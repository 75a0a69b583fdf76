import type { Alert, AlertSchedule } from '@pulse/contract'

/** More than that at once are one message, however they would be divided: a storm is one piece of news. */
export const flood = { alerts: 100, messages: 10 } as const

const guestTypes = ['VM', 'Container']

function bucketOf(alert: Alert, { byNode, byGuest }: AlertSchedule['grouping']): string {
  const isGuest = guestTypes.includes(String(alert.metadata?.['resourceType']))
  if (byGuest && isGuest) return `guest ${alert.resourceId}`
  return byNode ? `node ${alert.instance} ${alert.node}` : ''
}

/** Which of them go together; each list is one message. */
export function group<T extends { alert: Alert }>(
  items: readonly T[],
  grouping: AlertSchedule['grouping'],
): T[][] {
  if (items.length === 0) return []
  const buckets = grouping.enabled
    ? [...Map.groupBy(items, ({ alert }) => bucketOf(alert, grouping)).values()]
    : items.map((item) => [item])
  const isFlood = buckets.length > flood.messages || (grouping.enabled && items.length > flood.alerts)
  return isFlood ? [[...items]] : buckets
}
