import type { DockerContainer, ReportCut } from '@pulse/contract'
import { AppError } from '../app-error.ts'
import type { AgentReport, HostFacts } from '../agent-kind.ts'
import { Bounded, type Fields, identityOf, isFields, momentOf, numberOf, wholeOf } from '../report-fields.ts'
import { readLabels, readNetworks, readPorts } from './read-details.ts'

/** Exceeds any real host; further containers are left out and reported as cut. */
export const mostContainers = 1_000
/** Seconds between two reports if the agent does not report its interval. */
export const usualIntervalSeconds = 30

/** The host part of a report. */
export interface DockerFacts extends HostFacts {
  os?: string
  kernelVersion?: string
  architecture?: string
  dockerVersion?: string
  engine?: string
  cpus: number
  totalMemoryBytes: number
}

/** Times are by the host's clock, which may be wrong. */
export interface ReadContainer extends Omit<DockerContainer, 'host' | 'source'> {
  uptimeSeconds?: number
}

export interface ReadReport extends AgentReport<DockerFacts> {
  uptimeSeconds: number | undefined
  sentAt: number | undefined
  /** by name */
  containers: Map<string, ReadContainer>
  cut: ReportCut[]
}

/**
 * A report of our agent or of the agent of Pulse 4.x. Only reports without a host or a list are refused; other invalid parts are
 * left out.
 */
export function readReport(body: unknown): ReadReport {
  const { agent, host, containers, timestamp } = isFields(body) ? body : ({} as Fields)
  const bounded = new Bounded()
  const about = isFields(host) ? host : {}
  const by = isFields(agent) ? agent : {}
  const hostname = bounded.text(about['hostname'], 253).trim()
  const hostId = identityOf([by['id'], about['machineId'], about['hostname']])
  if (hostId === undefined)
    throw refused('it identifies no host: agent.id, host.machineId and host.hostname are empty')
  if (hostname === '') throw refused('host.hostname is empty')
  if (!Array.isArray(containers)) throw refused('it has no list of containers')
  const facts: DockerFacts = {
    hostname,
    displayName: bounded.text(about['name'], 253).trim() || hostname,
    ...bounded.optional('machineId', about['machineId'], 128),
    ...bounded.optional('os', about['os'], 128),
    ...bounded.optional('kernelVersion', about['kernelVersion'], 128),
    ...bounded.optional('architecture', about['architecture'], 32),
    ...bounded.optional('dockerVersion', about['dockerVersion'], 64),
    ...bounded.optional('engine', about['engine'], 16),
    ...bounded.optional('agentVersion', by['version'], 64),
    cpus: wholeOf(about['totalCpu'], 4096) ?? 0,
    totalMemoryBytes: wholeOf(about['totalMemoryBytes']) ?? 0,
    intervalSeconds: wholeOf(by['intervalSeconds'], 86_400, 1) ?? usualIntervalSeconds,
  }
  const read = new Map<string, ReadContainer>()
  for (const fields of bounded.list(containers, mostContainers, 'containers')) {
    const container = readContainer(fields, bounded)
    if (container && !read.has(container.name)) read.set(container.name, container)
  }
  return {
    hostId,
    facts,
    uptimeSeconds: wholeOf(about['uptimeSeconds'], 4e9, 1),
    sentAt: momentOf(timestamp),
    containers: read,
    cut: bounded.cut,
  }
}

const refused = (why: string) => new AppError('invalid_report', `Invalid report: ${why}.`)

/** Undefined without a name or an id. */
function readContainer(fields: Fields, bounded: Bounded): ReadContainer | undefined {
  const id = bounded.text(fields['id'], 128).trim()
  const name = bounded.text(fields['name'], 255).trim().replace(/^\//, '') || id.slice(0, 12)
  if (name === '') return undefined
  const optional = {
    cpuPercent: numberOf(fields['cpuPercent'], 1e6),
    memoryUsageBytes: wholeOf(fields['memoryUsageBytes']),
    memoryLimitBytes: wholeOf(fields['memoryLimitBytes']),
    memoryPercent: numberOf(fields['memoryPercent'], 1e6),
    createdAt: momentOf(fields['createdAt']),
    startedAt: momentOf(fields['startedAt']),
    finishedAt: momentOf(fields['finishedAt']),
    uptimeSeconds: wholeOf(fields['uptimeSeconds'], 4e9, 1),
    oomKilled: fields['oomKilled'] === true ? true : undefined,
  }
  return {
    id: id || name,
    name,
    image: bounded.text(fields['image'], 512),
    state: bounded.text(fields['state'], 32).trim().toLowerCase(),
    status: bounded.text(fields['status'], 256),
    ...bounded.optional('health', fields['health'], 32),
    restartCount: wholeOf(fields['restartCount'], 1e9) ?? 0,
    exitCode: wholeOf(fields['exitCode'], 2 ** 31, -(2 ** 31)) ?? 0,
    ...present(optional),
    ...readPorts(fields['ports'], bounded),
    ...readLabels(fields['labels'], bounded),
    ...readNetworks(fields['networks'], bounded),
    ...bounded.optional('unreadable', fields['unreadable'], 256),
  }
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

const present = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>
