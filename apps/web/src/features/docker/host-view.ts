import type { DockerHost } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import { useCallback } from 'react'
import type { UiTone } from '../../ui/tone-class.ts'
import { useEntity, useLive } from '../../live/use-live.ts'
import { hostName } from '../../parts/nodes/docker-hosts.ts'
import { type ContainerSums, memoryShare, nothing, sumContainers } from './container-sums.ts'

/** A notice about a host. */
interface HostTrouble {
  tone: UiTone
  text: string
  hint: string
}

/** A host as shown; while it is offline its figures are the last known ones. */
export interface HostView {
  wireId: string
  name: string
  online: boolean
  /** epoch ms of its last report */
  reportedAt: number | undefined
  startedAt: number | undefined
  agentVersion: string | undefined
  sums: ContainerSums
  cpuPercent: number | undefined
  memoryPercent: number | undefined
  totalMemoryBytes: number
  troubles: readonly HostTrouble[]
}

export function viewHost(host: DockerHost, sums: ContainerSums, lastSeen: number | undefined): HostView {
  return {
    wireId: wireIdOf(host),
    name: hostName(host),
    online: host.status === 'online',
    reportedAt: lastSeen ?? host.staleSince,
    startedAt: host.startedAt,
    agentVersion: host.agentVersion,
    sums,
    cpuPercent: sums.cpuPercent,
    memoryPercent: memoryShare(sums.memoryBytes, host.totalMemoryBytes),
    totalMemoryBytes: host.totalMemoryBytes,
    troubles: troublesOf(host),
  }
}

/** The host's id in alerts. */
export const wireIdOf = ({ id }: Pick<DockerHost, 'id'>): string => `docker:${id}`

export function troublesOf({
  conflict,
  clockAheadMinutes,
  cut,
  pendingUninstall,
}: DockerHost): HostTrouble[] {
  const troubles: HostTrouble[] = []
  if (conflict) {
    const hint = `Another machine, ${conflict.hostname}, reports under the same identity. Its reports are refused.`
    troubles.push({ tone: 'red', text: 'Duplicate identity', hint })
  }
  if (clockAheadMinutes) {
    const by = `${Math.abs(clockAheadMinutes)} min ${clockAheadMinutes > 0 ? 'ahead' : 'behind'}`
    troubles.push({ tone: 'orange', text: `Clock ${by}`, hint: `The clock of this host is ${by}.` })
  }
  if (cut?.length) {
    const hint = `The report of this host exceeds the limit. Incomplete: ${cut.join(', ')}.`
    troubles.push({ tone: 'orange', text: 'Report cut', hint })
  }
  if (pendingUninstall) {
    const hint = 'The agent of this host was asked to stop.'
    troubles.push({ tone: 'neutral', text: 'Being removed', hint })
  }
  return troubles
}

const kinds = ['dockerContainers'] as const

/** Updates with the host, its containers and its reports. */
export function useHostView(id: string): HostView | undefined {
  const host = useEntity('dockerHosts', id)
  const sums = useLive(
    kinds,
    useCallback((live) => sumContainers(live).get(id)?.all ?? nothing, [id]),
    isEqual,
  )
  const lastSeen = useEntity('sources', id)?.lastSeen
  return host && viewHost(host, sums, lastSeen)
}
