import type { Alert, AlertSchedule } from '@pulse/contract'
import type { Episode } from './dispatch.ts'

/** Per window. More of them are a storm, which is sent by source or as one message. */
const mostMessages = 10

const guestTypes = ['VM', 'Container']

function bucketOf(alert: Alert, { byNode, byGuest }: AlertSchedule['grouping']): string {
  const isGuest = guestTypes.includes(String(alert.metadata?.['resourceType']))
  // a snapshot has an id of its own, but is grouped with its guest
  if (byGuest && isGuest) return `guest ${String(alert.metadata?.['guestId'] ?? alert.resourceId)}`
  return byNode ? `node ${alert.instance} ${alert.node}` : ''
}

/**
 * Divides alerts into messages, one list each. A flood is divided by source alone. Too many messages at once
 * become one per source, or a single one.
 */
export function divide<T extends { episode: Episode; stream: string }>(
  items: readonly T[],
  grouping: AlertSchedule['grouping'],
  isFlood: (stream: string) => boolean,
): T[][] {
  const bySource = (list: readonly T[]) => [...Map.groupBy(list, ({ episode }) => episode.source).values()]
  const floods = items.filter(({ stream }) => isFlood(stream))
  const others = items.filter(({ stream }) => !isFlood(stream))
  const buckets = grouping.enabled
    ? [...Map.groupBy(others, ({ episode }) => bucketOf(episode.alert, grouping)).values()]
    : others.map((item) => [item])
  const messages = [...buckets, ...bySource(floods)]
  if (messages.length <= mostMessages) return messages
  const sources = bySource(items)
  return sources.length <= mostMessages ? sources : [[...items]]
}
