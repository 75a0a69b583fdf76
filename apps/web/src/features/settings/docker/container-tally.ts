import type { LiveReader } from '../../../live/store.ts'

interface ContainerTally {
  total: number
  running: number
}

interface Standing {
  host: string
  running: boolean
}

const none: ContainerTally = { total: 0, running: 0 }

const counters = new WeakMap<LiveReader, (live: LiveReader, host: string) => ContainerTally>()

/** Of the host with that id. The same object while its counts are; what changed since is counted once, however many ask. */
export function tallyContainers(live: LiveReader, host: string): ContainerTally {
  let counter = counters.get(live)
  if (!counter) counters.set(live, (counter = createCounter()))
  return counter(live, host)
}

/** Figures change with every report; who runs, and where, seldom does. */
const counts = (field: string) => field === 'state' || field === 'host'

function createCounter(): (live: LiveReader, host: string) => ContainerTally {
  const standings = new Map<string, Standing>()
  const tallies = new Map<string, ContainerTally>()
  let seen = -1

  const add = ({ host, running }: Standing, sign: 1 | -1) => {
    const before = tallies.get(host) ?? none
    const after = { total: before.total + sign, running: before.running + (running ? sign : 0) }
    if (after.total === 0) tallies.delete(host)
    else tallies.set(host, after)
  }

  const look = (live: LiveReader, ids: Iterable<string>) => {
    const containers = live.records('dockerContainers')
    for (const id of ids) {
      const container = containers.get(id)
      const before = standings.get(id)
      const now = container && { host: container.host, running: container.state === 'running' }
      if (before?.host === now?.host && before?.running === now?.running) continue
      if (before) add(before, -1)
      if (now) {
        add(now, 1)
        standings.set(id, now)
      } else standings.delete(id)
    }
  }

  return (live, host) => {
    const version = live.version('dockerContainers')
    if (version !== seen) {
      const changed = seen < 0 ? undefined : live.changedSince('dockerContainers', seen, counts)
      look(live, changed ?? new Set([...standings.keys(), ...live.ids('dockerContainers')]))
      seen = version
    }
    return tallies.get(host) ?? none
  }
}
