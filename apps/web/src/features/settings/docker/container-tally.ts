import { perStore } from '../../../live/per-version.ts'
import type { LiveReader } from '../../../live/store.ts'

interface ContainerTally {
  total: number
  running: number
}

interface CountedContainer {
  host: string
  running: boolean
}

const none: ContainerTally = { total: 0, running: 0 }

const counterOf = perStore(createCounter)

/**
 * Counts of one host's containers. Same identity while unchanged; each change is counted once for all
 * callers.
 */
export const tallyContainers = (live: LiveReader, host: string): ContainerTally => counterOf(live)(live, host)

/** Ignores figures, which change with every report; state and host rarely do. */
const counts = (field: string) => field === 'state' || field === 'host'

function createCounter(): (live: LiveReader, host: string) => ContainerTally {
  const counted = new Map<string, CountedContainer>()
  const tallies = new Map<string, ContainerTally>()
  let seen = -1

  const add = ({ host, running }: CountedContainer, sign: 1 | -1) => {
    const before = tallies.get(host) ?? none
    const after = { total: before.total + sign, running: before.running + (running ? sign : 0) }
    if (after.total === 0) tallies.delete(host)
    else tallies.set(host, after)
  }

  const look = (live: LiveReader, ids: Iterable<string>) => {
    const containers = live.records('dockerContainers')
    for (const id of ids) {
      const container = containers.get(id)
      const before = counted.get(id)
      const now = container && { host: container.host, running: container.state === 'running' }
      if (before?.host === now?.host && before?.running === now?.running) continue
      if (before) add(before, -1)
      if (now) {
        add(now, 1)
        counted.set(id, now)
      } else counted.delete(id)
    }
  }

  return (live, host) => {
    const version = live.version('dockerContainers')
    if (version !== seen) {
      const changed = seen < 0 ? undefined : live.changedSince('dockerContainers', seen, counts)
      look(live, changed ?? new Set([...counted.keys(), ...live.ids('dockerContainers')]))
      seen = version
    }
    return tallies.get(host) ?? none
  }
}
