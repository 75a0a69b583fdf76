import type { ReportedContainer } from '@pulse/contract'
import { count, type Fields, fields, list, text, texts, time } from '../engine/read.ts'
import { memoryUse } from './memory.ts'
import { boundedDetails } from './report-size.ts'

export interface ContainerFacts {
  /** its entry in the list of all */
  listed: Fields
  /** undefined when it could not be had in time */
  inspected: Fields | undefined
  /** of one that runs: undefined when it could not be had in time */
  stats: Fields | undefined
  /** percent of one core; undefined as long as stats are */
  cpuPercent: number | undefined
  /** bytes of the host's memory, which is the limit of who has none */
  hostBytes: number | undefined
  /** by the engine's own clock, like its dates */
  nowMs: number
  /** what of it could not be read, and why */
  unreadable: string | undefined
}

/** Whether it uses processors and memory: of no other are figures asked, and those of all others are zero. */
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
    ...given({ image: imageOf(listed, inspected), createdAt: createdAt(listed, inspected), status }),
    state: stateOf(listed, inspected),
    ...given({
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
    ...given({ unreadable }),
  }
}

/** Its own name; names with a second slash are those by which others are linked to it. */
export function nameOf(listed: Fields): string {
  const names = list(listed.Names).flatMap((name) => text(name) ?? [])
  const own = names.find((name) => !name.slice(1).includes('/')) ?? names[0] ?? ''
  return own.replace(/^\//, '')
}

/** An image whose tag has moved on is listed by its digest: then the name it was started by says more. */
function imageOf(listed: Fields, inspected: Fields | undefined): string | undefined {
  const image = text(listed.Image)
  const named = text(fields(inspected?.Config).Image)
  return image?.startsWith('sha256:') || image === undefined ? (named ?? image) : image
}

function createdAt(listed: Fields, inspected: Fields | undefined): string | undefined {
  const seconds = count(listed.Created)
  const known = time(inspected?.Created)
  // more than a date can be
  if (known !== undefined || !seconds || seconds > 8.64e12) return known
  return new Date(seconds * 1000).toISOString()
}

const stateOf = (listed: Fields, inspected: Fields | undefined): string =>
  text(fields(inspected?.State).Status) ?? text(listed.State)?.toLowerCase() ?? 'unknown'

const isRun = ({ listed, inspected }: ContainerFacts) =>
  ['running', 'paused'].includes(stateOf(listed, inspected))

/** Podman says '' where there is no check, others 'none'. */
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

/** Known to be zero when it does not run, left out when they could not be had. */
function figures(facts: ContainerFacts): Pick<ReportedContainer, Figures> {
  const { stats, cpuPercent, hostBytes } = facts
  if (!isRun(facts)) return { cpuPercent: 0, memoryUsageBytes: 0, memoryLimitBytes: 0, memoryPercent: 0 }
  const memory = memoryUse(stats, hostBytes)
  return given({
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
    return [{ privatePort, ...given({ publicPort, protocol: text(port.Type), ip: text(port.IP) }) }]
  })
}

function networksOf(networks: unknown): NonNullable<ReportedContainer['networks']> {
  return Object.entries(fields(networks))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => {
      const network = fields(value)
      return { name, ...given({ ipv4: text(network.IPAddress), ipv6: text(network.GlobalIPv6Address) }) }
    })
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Without what is not known. */
export const given = <T extends Record<string, unknown>>(parts: T): Given<T> =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as Given<T>
