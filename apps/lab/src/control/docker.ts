import type { ContainerAgent, Sent } from '../docker/agent.ts'
import type { DockerHostView, ReportTo } from '../docker/agents.ts'
import { isLoopback } from '../docker/call.ts'
import { fates } from '../docker/host.ts'
import type { ContainerPins, DockerHost, Fate, HostPins } from '../docker/host.ts'
import type { Report } from '../docker/report.ts'
import type { World } from '../world.ts'
import {
  aFlag,
  aNumber,
  anInteger,
  anObject,
  aRecordOfTexts,
  aText,
  check,
  ControlError,
  oneOf,
  orNull,
} from './check.ts'

/** `null` releases a pinned value. */
export interface ContainerPatch {
  /** From now on. */
  fate?: Fate | null
  cpuPercent?: number | null
  memoryUsageBytes?: number | null
  labels?: Record<string, string> | null
  hangs?: boolean
}

export interface DockerHostPatch {
  /** False: switched off. */
  online?: boolean
  /** `running`: starts a stopped agent again. */
  agent?: 'running'
  clockSkewSeconds?: number
  /** The name of the host that it was cloned from. */
  identityOf?: string | null
  containerCount?: number | null
  /** The number of next reports that contain no container. */
  emptyReports?: number
  stop?: 'obeys' | 'fails' | 'ignored'
  /** By name. */
  containers?: Record<string, ContainerPatch>
}

/** Container hosts and their agents. */
export interface DockerControl {
  dockerHosts(): DockerHostView[]
  /** From now on. Reports go to loopback addresses only. */
  reportTo(where: ReportTo): void
  /** The report that a host would send now. */
  dockerReport(name: string): Report
  /** Sends a report at once, for one host or for all. */
  sendDockerReports(name?: string): Promise<Sent[]>
  /** The request that an agent sends when it starts. */
  askAgentVersion(name: string): Promise<{ version: string; replacesItself: boolean }>
  patchDockerHost(name: string, patch: DockerHostPatch): void
  resetDocker(): void
}

export function createDockerControl({ docker, settings }: World): DockerControl {
  const find = (name: string): ContainerAgent => {
    const agent = docker.agents.find(({ host }) => host.name === name)
    if (!agent) throw new ControlError(404, `no container host ${name}`)
    return agent
  }
  return {
    dockerHosts: () => docker.views(),
    reportTo(where) {
      checkTarget(where)
      for (const name of Object.keys(where.tokens ?? {})) find(name)
      docker.reportTo(where)
    },
    dockerReport: (name) => find(name).report(),
    sendDockerReports: (name) => docker.send(name === undefined ? undefined : [find(name)]),
    askAgentVersion: (name) => find(name).askVersion(),
    patchDockerHost(name, patch) {
      const agent = find(name)
      checkHostPatch(patch)
      const { identityOf, agent: wanted, containers = {} } = patch
      for (const [container, change] of Object.entries(containers)) {
        patchContainer(findContainer(agent.host, container).pins, change, settings.now())
      }
      pinHost(agent.host.pins, patch)
      if (typeof identityOf === 'string') agent.host.pins.identityOf = find(identityOf).host
      if (wanted === 'running') agent.start()
    },
    resetDocker() {
      for (const agent of docker.agents) {
        agent.host.pins = {}
        for (const container of agent.host.containers) container.pins = {}
        agent.start()
      }
    },
  }
}

function findContainer(host: DockerHost, name: string) {
  const container = host.containers.find((one) => one.name === name)
  if (container) return container
  const some = host.containers.slice(0, 12).map((one) => one.name)
  throw new ControlError(404, `no container ${name} on ${host.name}; there is ${some.join(', ')}`)
}

function pinHost(pins: HostPins, patch: DockerHostPatch): void {
  const { online, clockSkewSeconds, identityOf, containerCount, emptyReports, stop } = patch
  if (online !== undefined) pin(pins, 'offline', online ? null : true)
  if (clockSkewSeconds !== undefined) pin(pins, 'clockSkewSeconds', clockSkewSeconds)
  if (identityOf === null) delete pins.identityOf
  if (containerCount !== undefined) pin(pins, 'containerCount', containerCount)
  if (emptyReports !== undefined) pin(pins, 'emptyReports', emptyReports)
  if (stop !== undefined) pin(pins, 'stop', stop === 'obeys' ? null : stop)
}

function patchContainer(pins: ContainerPins, patch: ContainerPatch, atMs: number): void {
  check<ContainerPatch>('container', patch, {
    fate: orNull(oneOf(...fates)),
    cpuPercent: orNull(aNumber(0)),
    memoryUsageBytes: orNull(anInteger(0)),
    labels: orNull(aRecordOfTexts),
    hangs: aFlag,
  })
  const { fate, cpuPercent, memoryUsageBytes, labels, hangs } = patch
  if (fate !== undefined) {
    pin(pins, 'fate', fate)
    pin(pins, 'sinceMs', fate === null ? null : atMs)
  }
  if (cpuPercent !== undefined) pin(pins, 'cpuPercent', cpuPercent)
  if (memoryUsageBytes !== undefined) pin(pins, 'memoryUsageBytes', memoryUsageBytes)
  if (labels !== undefined) pin(pins, 'labels', labels)
  if (hangs !== undefined) pin(pins, 'hangs', hangs ? true : null)
}

function pin<T extends object, K extends keyof T>(pins: T, key: K, value: T[K] | null): void {
  if (value === null) delete pins[key]
  else pins[key] = value
}

function checkTarget(where: ReportTo): void {
  check<ReportTo>('target', where, {
    url: aText,
    token: aText,
    tokens: aRecordOfTexts,
    version: aText,
    intervalSeconds: aNumber(0, 3600),
    spread: aFlag,
  })
  if (!isLoopback(where.url))
    throw new ControlError(400, `target.url must be a loopback address, not ${where.url}`)
}

function checkHostPatch(patch: DockerHostPatch): void {
  check<DockerHostPatch>('container host', patch, {
    online: aFlag,
    agent: oneOf('running'),
    clockSkewSeconds: aNumber(-1e9, 1e9),
    identityOf: orNull(aText),
    containerCount: orNull(anInteger(0, 5_000)),
    emptyReports: anInteger(0, 1_000),
    stop: oneOf('obeys', 'fails', 'ignored'),
    containers: anObject,
  })
}
