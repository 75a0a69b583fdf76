import type { LiveReader } from '../../live/store.ts'
import { sameList } from '../../live/use-live.ts'
import type { AlertLevels } from '../../parts/alert-levels.ts'
import { indexHosts, orderHosts } from '../../parts/docker-hosts.ts'
import { troublesOf, wireIdOf } from './host-view.ts'

export const hostKinds = ['dockerHosts'] as const

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
  const urgent = new Set(
    all.filter((id) => {
      const host = records.get(id)!
      return (
        id === selected ||
        host.status !== 'online' ||
        troublesOf(host).length > 0 ||
        alerts.has(wireIdOf(host))
      )
    }),
  )
  const others = all.filter((id) => !urgent.has(id)).slice(0, Math.max(0, room - urgent.size))
  const kept = new Set([...urgent, ...others])
  const shown = all.filter((id) => kept.has(id))
  return { shown, more: all.length - shown.length }
}

export const sameFold = (a: HostOrder, b: HostOrder): boolean =>
  a.more === b.more && sameList(a.shown, b.shown)
