import { type DockerContainer, type DockerHost, figures, metricsOfKind } from '@pulse/contract'
import { containerName } from '../../container-name.ts'
import type { Judging, Rule, Subject } from '../judging.ts'
import { judgeMetric } from '../metric.ts'
import { memoryLimit } from './container-memory.ts'
import { restartLoop } from './restart-loop.ts'
import { delayTypes } from '../delays.ts'
import { dockerOfflineId } from './source.ts'

export const containerConfirmations = 2
const delays = delayTypes.docker

export const isRunning = ({ state, status }: Pick<DockerContainer, 'state' | 'status'>): boolean =>
  (state || status).toLowerCase() === 'running'

const state: Rule<DockerContainer> = {
  name: 'container-state',
  judge(container, on) {
    const isBad = !isRunning(container)
    if (!isBad && !on.isWatched) return
    const { off, level, origin } = on.policy.offline
    on.emit({
      id: `docker-container-state-${on.record}`,
      type: 'docker-container-state',
      verdict: off !== undefined ? 'off' : isBad ? 'bad' : 'fine',
      reason: off,
      origin,
      level,
      confirmations: containerConfirmations,
      message: `Container ${on.resource.name} ${stateText(container)}`,
      metadata: { state: container.state, exitCode: container.exitCode },
    })
  },
}

function stateText({ state, status, exitCode }: DockerContainer): string {
  const word = state || status
  switch (word.toLowerCase()) {
    case 'created':
      return 'was never started'
    case 'exited':
      return `has exited (${exitCode})`
    default:
      return `is ${word}`
  }
}

const metrics: Rule<DockerContainer> = {
  name: 'container-metrics',
  judge(container, on) {
    const off = isRunning(container) ? undefined : { off: 'It does not run.' }
    for (const metric of metricsOfKind.dockerContainers)
      judgeMetric(on, metric, delays, figures.dockerContainers[metric], container, off)
  },
}

/** No health check, healthy, or not checked yet. */
const wellWords: readonly string[] = ['', 'none', 'healthy', 'starting']

const health: Rule<DockerContainer> = {
  name: 'container-health',
  judge(container, on) {
    const word = (container.health ?? '').toLowerCase()
    const isBad = !wellWords.includes(word) && isRunning(container)
    if (!isBad && !on.isWatched) return
    on.emit({
      id: `docker-container-health-${on.record}`,
      type: 'docker-container-health',
      verdict: isBad ? 'bad' : 'fine',
      level: word === 'unhealthy' ? 'critical' : 'warning',
      message: `Container ${on.resource.name} reports its health as ${container.health ?? 'none'}`,
    })
  },
}

/**
 * Exit code of SIGKILL. The out-of-memory killer is one cause of several, so `oomKilled` takes precedence.
 */
const killed = 137

const outOfMemory: Rule<DockerContainer> = {
  name: 'container-oom',
  judge(container, on) {
    const { exitCode, oomKilled = exitCode === killed } = container
    const isBad = ['exited', 'dead'].includes(container.state.toLowerCase()) && oomKilled
    if (!isBad && !on.isWatched) return
    on.emit({
      id: `docker-container-oom-${on.record}`,
      type: 'docker-container-oom-kill',
      verdict: isBad ? 'bad' : 'fine',
      level: 'critical',
      message: `Container ${on.resource.name} was killed: out of memory`,
      metadata: { exitCode },
    })
  },
}

/** The prefix of ignored containers that the name or id begins with. */
export function ignoredBy(
  prefixes: readonly string[],
  { id, ...container }: Pick<DockerContainer, 'id' | 'name'>,
): string | undefined {
  if (prefixes.length === 0) return undefined
  const names = [containerName({ id, ...container }), id].map((name) => name.toLowerCase())
  return prefixes.find((prefix) => names.some((name) => name.startsWith(prefix.toLowerCase())))
}

/** The host is unreachable and its alerts are off. Its containers raise no alerts instead. */
function isOfflineMuted(host: DockerHost, on: Judging): boolean {
  if (on.tables.sources.get(host.source)?.health !== 'error') return false
  const { off, offline } = on.policyOf('dockerHosts', host.source, host)
  return off !== undefined || offline.off !== undefined
}

export const containers: Subject<'dockerContainers'> = {
  kind: 'dockerContainers',
  settings: 'dockerContainers',
  // Each report is one check.
  answersApartMs: 1,
  resource(container, _key, tables) {
    const host = tables.dockerHosts.get(container.source)
    return {
      id: `docker:${container.host}/${container.id}`,
      name: containerName(container),
      node: host?.hostname ?? container.host,
      instance: `Docker:${host?.displayName ?? container.host}`,
      type: 'Docker Container',
    }
  },
  down(container, on) {
    if (on.isOpen(dockerOfflineId(container.host))) return 'Its host is offline.'
    const host = on.tables.dockerHosts.get(container.source)
    if (host?.hidden) return 'Its host is hidden.'
    if (host && isOfflineMuted(host, on)) return 'Its host is offline.'
    const prefix = ignoredBy(on.config.dockerIgnoredContainerPrefixes, container)
    return prefix === undefined ? undefined : `Containers that begin with ${prefix} are ignored.`
  },
  rules: [state, metrics, health, restartLoop, outOfMemory, memoryLimit],
}
