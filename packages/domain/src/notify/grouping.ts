import type { Alert, AlertSchedule } from '@pulse/contract'
import type { Episode } from './dispatch.ts'

/** Of one window. More are a storm, which is one piece of news. */
const mostMessages = 10

const guestTypes = ['VM', 'Container']

function bucketOf(alert: Alert, { byNode, byGuest }: AlertSchedule['grouping']): string {
  const isGuest = guestTypes.includes(String(alert.metadata?.['resourceType']))
  // a snapshot has an id of its own, and goes with its guest
  if (byGuest && isGuest) return `guest ${String(alert.metadata?.['guestId'] ?? alert.resourceId)}`
  return byNode ? `node ${alert.instance} ${alert.node}` : ''
}

/**
 * Which of them go together; each list is one message. A flood is divided by its source alone, and too many messages at
 * once are one of each source, or one of all.
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
