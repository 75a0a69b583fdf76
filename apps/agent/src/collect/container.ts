import type { ReportedContainer } from '@pulse/contract'
import { count, type Fields, fields, list, text, texts, time } from '../engine/read.ts'
import { memoryUse } from './usage.ts'
import { boundedDetails } from './report-size.ts'

export interface ContainerFacts {
  /** its entry in the list of containers */
  listed: Fields
  /** undefined when the request timed out */
  inspected: Fields | undefined
  /** undefined when the container is stopped, or the request timed out */
  stats: Fields | undefined
  /** percent of one core; undefined without stats */
  cpuPercent: number | undefined
  /** the host's memory, which is the limit of containers without their own */
  hostBytes: number | undefined
  /** on the engine's clock, like its dates */
  nowMs: number
  /** why a request about it failed */
  unreadable: string | undefined
}

/** Whether it uses processors and memory. Other containers are reported with zeros, without a request. */
export const isUp = (listed: Fields): boolean => ['running', 'paused'].includes(stateOf(listed, undefined))

export function toContainer(facts: ContainerFacts): ReportedContainer {
  const { listed, inspected, unreadable } = facts
  const state = fields(inspected?.State)
  const status = text(listed.Status)
  const startedAt = time(state.StartedAt)
  const finishedAt = isRun(facts) ? undefined : time(state.FinishedAt)
  return {
    id: text(listed.Id) ?? '',
    name: nameOf(listed),
    ...defined({ image: imageOf(listed, inspected), createdAt: createdAt(listed, inspected), status }),
    state: stateOf(listed, inspected),
    ...defined({
      health: inspected ? healthOf(state) : healthIn(status),
      restartCount: count(inspected?.RestartCount),
      exitCode: inspected ? count(state.ExitCode) : exitCodeIn(status),
      startedAt,
      finishedAt,
      uptimeSeconds: uptimeOf(facts, startedAt),
      oomKilled: state.OOMKilled === true ? true : undefined,
    }),
    ...figures(facts),
    ...boundedDetails({
      ports: portsOf(listed),
      labels: texts(listed.Labels),
      networks: networksOf(fields((inspected ?? listed).NetworkSettings).Networks),
    }),
    ...defined({ unreadable }),
  }
}

/** The container's own name. A name with a second slash is a link from another container. */
export function nameOf(listed: Fields): string {
  const names = list(listed.Names).flatMap((name) => text(name) ?? [])
  const own = names.find((name) => !name.slice(1).includes('/')) ?? names[0] ?? ''
  return own.replace(/^\//, '')
}

/**
 * Docker lists an image by its digest once the tag has moved. Then the name from the container's start is
 * better.
 */
function imageOf(listed: Fields, inspected: Fields | undefined): string | undefined {
  const image = text(listed.Image)
  const named = text(fields(inspected?.Config).Image)
  return image?.startsWith('sha256:') || image === undefined ? (named ?? image) : image
}

function createdAt(listed: Fields, inspected: Fields | undefined): string | undefined {
  const seconds = count(listed.Created)
  const known = time(inspected?.Created)
  // exceeds the range of a Date
  if (known !== undefined || !seconds || seconds > 8.64e12) return known
  return new Date(seconds * 1000).toISOString()
}

const stateOf = (listed: Fields, inspected: Fields | undefined): string =>
  text(fields(inspected?.State).Status) ?? text(listed.State)?.toLowerCase() ?? 'unknown'

const isRun = ({ listed, inspected }: ContainerFacts) =>
  ['running', 'paused'].includes(stateOf(listed, inspected))

/** Without a health check Podman reports '', other engines 'none'. */
function healthOf(state: Fields): string | undefined {
  const health = text(fields(state.Health).Status)
  return health === 'none' ? undefined : health
}

const healthIn = (status = ''): string | undefined =>
  /\((?:health: )?(healthy|unhealthy|starting)\)$/.exec(status)?.[1]

function exitCodeIn(status = ''): number | undefined {
  const code = /^Exited \((\d{1,10})\)/.exec(status)?.[1]
  return code === undefined ? undefined : Number(code)
}

function uptimeOf(facts: ContainerFacts, startedAt: string | undefined): number | undefined {
  if (!isRun(facts)) return 0
  if (startedAt === undefined) return undefined
  return Math.max(0, Math.floor((facts.nowMs - Date.parse(startedAt)) / 1000))
}

type Figures = 'cpuPercent' | 'memoryUsageBytes' | 'memoryLimitBytes' | 'memoryPercent'

/** Zero when the container is stopped; absent when the figures could not be read. */
function figures(facts: ContainerFacts): Pick<ReportedContainer, Figures> {
  const { stats, cpuPercent, hostBytes } = facts
  if (!isRun(facts)) return { cpuPercent: 0, memoryUsageBytes: 0, memoryLimitBytes: 0, memoryPercent: 0 }
  const memory = memoryUse(stats, hostBytes)
  return defined({
    cpuPercent: cpuPercent === undefined ? undefined : hundredths(cpuPercent),
    memoryUsageBytes: memory?.usedBytes,
    memoryLimitBytes: memory?.limitBytes,
    memoryPercent: memory?.limitBytes ? hundredths((memory.usedBytes / memory.limitBytes) * 100) : undefined,
  })
}

const hundredths = (value: number) => Math.round(value * 100) / 100

function portsOf(listed: Fields): NonNullable<ReportedContainer['ports']> {
  return list(listed.Ports).flatMap((entry) => {
    const port = fields(entry)
    const privatePort = count(port.PrivatePort)
    if (privatePort === undefined) return []
    const publicPort = count(port.PublicPort) || undefined
    return [{ privatePort, ...defined({ publicPort, protocol: text(port.Type), ip: text(port.IP) }) }]
  })
}

function networksOf(networks: unknown): NonNullable<ReportedContainer['networks']> {
  return Object.entries(fields(networks))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => {
      const network = fields(value)
      return { name, ...defined({ ipv4: text(network.IPAddress), ipv6: text(network.GlobalIPv6Address) }) }
    })
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Leaves out undefined values. */
export const defined = <T extends Record<string, unknown>>(parts: T): Defined<T> =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as Defined<T>
