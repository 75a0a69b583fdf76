import type { Alert } from '@pulse/contract'
import type { anEngine } from './fixtures.ts'
import { rememberedMs } from './resolved-alerts.ts'
import type { AlertChange, StoredAlert, StoredResolved } from './stored.ts'

type EngineFixture = ReturnType<typeof anEngine>

/** Records the changes of an engine as a database does, and checks that they are consistent. */
export function alertLog(all: EngineFixture) {
  const rows = new Map<string, StoredAlert>()
  const gone = new Map<string, StoredResolved>()
  /** the open episode by alert */
  const openEpisodes = new Map<string, string>()
  const lastEpisode = new Map<string, string>()
  const episodes = new Set<string>()
  /** acknowledged alerts with an acknowledgement that was not removed */
  const acknowledged = new Set<string>()
  const ended = new Map<string, { now: number; monotonic: number }>()
  let read = 0

  function fail(id: string, what: string): never {
    throw new Error(`${id}: ${what}`)
  }

  /** By both clocks. Across a restart only the wall clock counts, and it may have been set meanwhile. */
  function sinceEndMs(id: string): number {
    const { now, monotonic } = ended.get(id) ?? { now: -Infinity, monotonic: -Infinity }
    return Math.max(all.moment().now - now, all.moment().monotonic - monotonic)
  }

  function note({ what, stored, at, ending }: AlertChange) {
    const { id } = stored.alert
    const { episode } = stored
    const open = openEpisodes.get(id)
    if (what === 'raised' || what === 'reopened') {
      if (open !== undefined) fail(id, 'reported twice')
      if (what === 'raised' && episodes.has(episode)) fail(id, 'a new alert in an old row')
      if (what === 'reopened' && lastEpisode.get(id) !== episode) fail(id, 'continues in another row')
      episodes.add(episode)
      lastEpisode.set(id, episode)
      openEpisodes.set(id, episode)
      gone.delete(id)
      if (acknowledged.has(id) && sinceEndMs(id) < rememberedMs && !stored.alert.acknowledged)
        fail(id, 'its acknowledgement is lost')
      if (!stored.alert.acknowledged) acknowledged.delete(id)
    } else {
      if (open !== episode) fail(id, `${what} without being open`)
      if (stored.alert.acknowledged !== acknowledged.has(id) && !what.endsWith('acknowledged'))
        fail(id, 'its acknowledgement changed without a request')
    }
    if (what === 'resolved' || what === 'cleared') {
      if (ending === undefined) fail(id, 'ends without saying how')
      openEpisodes.delete(id)
      ended.set(id, all.moment())
      if (what === 'cleared') acknowledged.delete(id)
      rows.delete(id)
      gone.set(id, { stored, ending, endedAt: at })
    } else if (what !== 'refreshed') rows.set(id, stored)
  }

  const sync = () => {
    const news = all.said.slice(read)
    read = all.said.length
    for (const change of news) note(change)
    return news
  }

  return {
    takeNew: sync,
    /** The open alerts match the reported changes and the rows. */
    check() {
      const open = [...openEpisodes.keys()].sort().join()
      if (all.open().join() !== open) fail(open, `reported; open are ${all.open().join()}`)
      if ([...rows.keys()].sort().join() !== open) fail(open, 'rows differ')
      for (const id of openEpisodes.keys())
        if (all.alert(id)!.acknowledged !== acknowledged.has(id)) fail(id, 'its acknowledgement is wrong')
    },
    acknowledge(id: string) {
      all.acknowledge(id)
      acknowledged.add(id)
    },
    unacknowledge(id: string) {
      acknowledged.delete(id)
      all.said.push(...all.engine.unacknowledge([id], all.moment()))
    },
    clear: (id: string) => void all.said.push(...all.engine.clear([id], all.moment())),
    /** With the snapshot, or with only the rows when the process was killed. */
    restart(isKilled: boolean) {
      sync()
      const before = all.open().map((id) => facts(all.alert(id)!))
      const { look } = all.restart(
        2_000,
        isKilled ? { alerts: [...rows.values()], gone: [...gone.values()] } : undefined,
      )
      const after = all.open().map((id) => facts(all.alert(id)!))
      if (before.join() !== after.join()) fail('restart', `${before.join()} became ${after.join()}`)
      const known = new Set(all.open())
      for (const { what, stored } of look())
        if (what === 'raised' && known.has(stored.alert.id))
          fail(stored.alert.id, 'raised again by a restart')
    },
  }
}

const facts = ({ id, startTime, acknowledged, ackUser }: Alert) =>
  `${id} ${startTime} ${acknowledged} ${ackUser}`
