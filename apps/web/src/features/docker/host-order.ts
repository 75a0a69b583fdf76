import type { LiveReader } from '../../live/store.ts'
import { sameList } from '../../live/use-live.ts'
import type { AlertLevels } from '../../parts/alerts/alert-levels.ts'
import { indexHosts, orderHosts } from '../../parts/nodes/docker-hosts.ts'
import { sumContainers } from './container-sums.ts'
import { troublesOf, wireIdOf } from './host-view.ts'

export const hostKinds = ['dockerHosts', 'dockerContainers'] as const

interface Folding {
  alerts: AlertLevels
  /** the one that is shown alone */
  selected: string | undefined
  /** undefined: for all of them */
  room: number | undefined
}

export interface HostOrder {
  shown: readonly string[]
  /** that are well, and have no room */
  more: number
}

/** All hosts in their order. Where there is no room for all, those that need attention are shown whatever it takes. */
export function selectHosts(live: LiveReader, { alerts, selected, room }: Folding): HostOrder {
  const index = indexHosts(live)
  const all = orderHosts([...index.keys()], index)
  // a line that says "1 more" takes the room of that one
  if (room === undefined || all.length <= room + 1) return { shown: all, more: 0 }
  const records = live.records('dockerHosts')
  const sums = sumContainers(live)
  const alerted = new Set([...alerts.keys()].map(hostOfAlert))
  const urgent = new Set(
    all.filter((id) => {
      const host = records.get(id)!
      return (
        id === selected ||
        host.status !== 'online' ||
        troublesOf(host).length > 0 ||
        (sums.get(id)?.all.troubled ?? 0) > 0 ||
        alerted.has(wireIdOf(host))
      )
    }),
  )
  const others = all.filter((id) => !urgent.has(id)).slice(0, Math.max(0, room - urgent.size))
  const kept = new Set([...urgent, ...others])
  const shown = all.filter((id) => kept.has(id))
  return { shown, more: all.length - shown.length }
}

/** Of an alert of a container (`docker:host/id`) too. */
const hostOfAlert = (resourceId: string): string => {
  const end = resourceId.lastIndexOf('/')
  return end === -1 ? resourceId : resourceId.slice(0, end)
}

export const sameFold = (a: HostOrder, b: HostOrder): boolean =>
  a.more === b.more && sameList(a.shown, b.shown)
