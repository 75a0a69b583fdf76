import type { DockerContainer } from '@pulse/contract'
import { containerUse } from '@pulse/domain'
import { perStore } from '../../live/per-version.ts'
import type { LiveReader } from '../../live/store.ts'
import { isContainerTroubled } from '../../parts/alerts/attention.ts'
import { projectOf } from './compose.ts'
import { markOf } from './container-status.ts'

/** Totals over containers. */
export interface ContainerSums {
  total: number
  running: number
  /** among the running */
  unhealthy: number
  exited: number
  /** need attention */
  troubled: number
  /** of running containers, capped at 100; undefined while none has reported */
  cpuPercent: number | undefined
  memoryBytes: number
}

/** Totals of a host and of each of its projects, by name. */
interface HostSums {
  all: ContainerSums
  projects: ReadonlyMap<string, ContainerSums>
}

/** By the host's store id. */
type SumsByHost = ReadonlyMap<string, HostSums>

const counterOf = perStore(createCounter)

/** Computed once per change for all callers. Reads only the hosts that reported. */
export const sumContainers = (live: LiveReader): SumsByHost => counterOf(live)(live)

function createCounter() {
  const hosts = new Map<string, string>()
  const members = new Map<string, Set<string>>()
  const sums = new Map<string, HostSums>()
  let seen: number | undefined

  const move = (id: string, from: string | undefined, to: string | undefined) => {
    if (from !== undefined) members.get(from)?.delete(id)
    if (to === undefined) return void hosts.delete(id)
    hosts.set(id, to)
    const own = members.get(to)
    if (own) own.add(id)
    else members.set(to, new Set([id]))
  }

  return (live: LiveReader): SumsByHost => {
    const version = live.version('dockerContainers')
    if (version === seen) return sums
    const changed = seen === undefined ? undefined : live.changedSince('dockerContainers', seen)
    seen = version
    const records = live.records('dockerContainers')
    const due = new Set<string>()
    for (const id of changed ?? [...hosts.keys(), ...records.keys()]) {
      const before = hosts.get(id)
      const now = records.get(id)?.source
      if (before !== now) move(id, before, now)
      for (const host of [before, now]) if (host !== undefined) due.add(host)
    }
    for (const host of due) {
      const own = [...(members.get(host) ?? [])].flatMap((id) => records.get(id) ?? [])
      if (own.length > 0) sums.set(host, sumsOf(own))
      else sums.delete(host)
    }
    return sums
  }
}

function sumsOf(containers: readonly DockerContainer[]): HostSums {
  const projects = Map.groupBy(containers, projectOf)
  return {
    all: sumUp(containers),
    projects: new Map([...projects].map(([project, own]) => [project, sumUp(own)])),
  }
}

function sumUp(containers: readonly DockerContainer[]): ContainerSums {
  const sums = { ...nothing, ...containerUse(containers), total: containers.length }
  for (const container of containers) {
    const mark = markOf(container)
    if (mark === 'exited') sums.exited += 1
    if (mark === 'unhealthy') sums.unhealthy += 1
    if (isContainerTroubled(container)) sums.troubled += 1
  }
  return sums
}

/** Totals of a host without containers. */
export const nothing: ContainerSums = {
  total: 0,
  running: 0,
  unhealthy: 0,
  exited: 0,
  troubled: 0,
  cpuPercent: 0,
  memoryBytes: 0,
}

/** Percent of the host's memory; undefined if its size is unknown. */
export const memoryShare = (usedBytes: number, totalBytes: number): number | undefined =>
  totalBytes > 0 ? Math.min(100, (usedBytes / Math.max(1, totalBytes)) * 100) : undefined
