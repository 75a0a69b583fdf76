import type { AnyRecord, DockerCommand, RecordKind, ReportCut } from '@pulse/contract'
import type { Observation } from '@pulse/domain'

/** Named after Docker in the documented API. */
export type AgentCommand = DockerCommand

/** The token that a host reports with. */
export interface HostToken {
  id: string
  name: string
  hint: string
}

/** Facts about an agent of any kind and its host. */
export interface HostFacts {
  hostname: string
  displayName: string
  machineId?: string
  agentVersion?: string
  intervalSeconds: number
}

export interface AgentReport<Facts extends HostFacts = HostFacts> {
  /** the agent's name for its host, on the wire too */
  hostId: string
  facts: Facts
  /** by the clock of the host */
  sentAt?: number | undefined
}

/** The stored part of a report, within the limits of its kind. */
export interface KeptReport<Kept> {
  kept: Kept
  /** parts that were cut or left out */
  cut: readonly ReportCut[]
  /** size of `kept` as JSON */
  bytes: number
  clockAheadMinutes: number
}

/** A host that an agent reports for, as this process knows it. Times are of the monotonic clock unless noted. */
export interface Host<Facts extends HostFacts = HostFacts, Kept = unknown> extends KeptReport<Kept> {
  /** the source of its records: a new name or a new agent does not change it */
  readonly key: string
  /** the agent's name for it, on the wire too */
  readonly id: string
  readonly enrolledAt: number
  facts: Facts
  token: HostToken | undefined
  hidden: boolean
  pendingUninstall: boolean
  pendingSince: number
  command: AgentCommand | undefined
  commandEndsAt: number
  isOnline: boolean
  /** while it is awaited: whether it was online before */
  wasOnline: boolean
  /**
   * since when its first report is awaited, after a start or when this process goes on after a long stop; undefined: it has come, or
   * has had time to
   */
  awaitedSince: number | undefined
  /** its last report; undefined until the first one after a start */
  reportedAt: number | undefined
  /** when its newest report was sent, by its own clock; undefined: it does not say */
  sentAt: number | undefined
  /** wall-clock time of its last report, stored across restarts */
  lastSeenAt: number | undefined
  /** another machine that reports under the same identity */
  conflict: { hostname: string; since: number; lastAt: number } | undefined
  conflictAt: number
}

interface KnownElsewhere<Facts extends HostFacts, Kept> extends KeptReport<Kept> {
  facts: Partial<Facts>
  /** as it was shown */
  wasOnline: boolean
  isHidden: boolean
  pendingUninstall: boolean
}

/** One kind of agent: it reads reports and makes records of them. `agents/` does the rest for all kinds. */
export interface AgentKindDefinition<Facts extends HostFacts, Report extends AgentReport<Facts>, Kept> {
  /** `agent.kind` of its reports; the keys of its hosts and the names of their sources begin with it */
  name: string
  /** state of a host before its first report */
  nothingKept: Kept
  /** The facts of a host with a known name and nothing else. */
  nothingKnown: Omit<Facts, 'hostname' | 'displayName'>
  /** Throws `invalid_report`. */
  read: (body: unknown) => Report
  /** Called with the host as it was before the report. */
  keep: (
    report: Report,
    host: Host<Facts, Kept>,
    others: readonly Host<Facts, Kept>[],
    nowMs: number,
  ) => KeptReport<Kept>
  records: (host: Host<Facts, Kept>) => Observation['records']
  /** What another process has said of a host, by the records that it has made, of a kind each; undefined: it has made none. */
  keptIn: (
    recordsOf: (kind: RecordKind) => ReadonlyMap<string, AnyRecord>,
  ) => KnownElsewhere<Facts, Kept> | undefined
  /** figures in the reply to a report */
  counts: (kept: Kept) => { containers: number }
}

/** Until it has had time to report, a host is as it was. */
export const isShownOnline = ({ isOnline, wasOnline }: Pick<Host, 'isOnline' | 'wasOnline'>): boolean =>
  isOnline || wasOnline

export type AgentKind = AgentKindDefinition<HostFacts, AgentReport, unknown>

/** `agents/` passes to a kind only values that the kind itself made. */
export const agentKind = <Facts extends HostFacts, Report extends AgentReport<Facts>, Kept>(
  definition: AgentKindDefinition<Facts, Report, Kept>,
): AgentKind => definition as unknown as AgentKind
