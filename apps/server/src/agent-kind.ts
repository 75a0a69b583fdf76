import type {
  AgentPlatform,
  deleteDockerHost,
  DockerAgentCheck,
  DockerCommand,
  DockerHost,
  getAgentFile,
  getAgentInstallScript,
  getAgentVersion,
  getDockerSetup,
  postDockerAllowReenroll,
  postDockerCommandAck,
  postDockerReport,
  postPrepareDockerToken,
  putDockerHostPendingUninstall,
  putDockerHostUnhide,
  ReportCut,
  SourceState,
} from '@pulse/contract'
import type { AgentSetup, Observation } from '@pulse/domain'
import type { DiagnosticsBlock } from './area.ts'
import type { DockerHostStore } from './db/docker-hosts.ts'
import type { Database } from './db/database.ts'
import type { Table } from './row-cache.ts'
import type { DockerHostRow, DockerRemovalRow } from './db/schema.ts'
import type { TransferPart } from './export-part.ts'
import type { TokenBucketOptions } from './timing/rate-limit.ts'

export type HostStore = DockerHostStore
export type HostRow = DockerHostRow
export type RemovalRow = DockerRemovalRow

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
  command: DockerCommand | undefined
  commandEndsAt: number
  isOnline: boolean
  /** its last report; undefined until the first one after a start */
  reportedAt: number | undefined
  /** wall-clock time of its last report, stored across restarts */
  lastSeenAt: number | undefined
  conflict: NonNullable<DockerHost['conflict']> | undefined
  conflictAt: number
}

export interface AgentLimits {
  hosts: number
  hostsOfToken: number
  /** rates of reports per token, which may serve many hosts, and per host */
  reports: { token: TokenBucketOptions; host: TokenBucketOptions }
  /** the same in uncompressed bytes */
  bytes: { token: TokenBucketOptions; host: TokenBucketOptions }
}

/** The calls of all agents. */
export interface AgentEndpoints {
  report: typeof postDockerReport
  acknowledge: typeof postDockerCommandAck
  remove: typeof deleteDockerHost
  unhide: typeof putDockerHostUnhide
  pendingUninstall: typeof putDockerHostPendingUninstall
  allowReenroll: typeof postDockerAllowReenroll
  setup: typeof getDockerSetup
  prepareToken: typeof postPrepareDockerToken
  version: typeof getAgentVersion
  file: typeof getAgentFile
  script: typeof getAgentInstallScript
}

/** Texts and paths of the install script. */
export interface InstallTexts {
  /** name of the program, its service and its files */
  program: string
  title: string
  /** what the agent reports, as the end of a sentence */
  reports: string
  /** path of the script on the server */
  script: string
  /** path of the calls about hosts */
  hostsPath: string
  /** page of the settings that manages its hosts */
  page: string
  /** units that the service starts after */
  after: string
  /** shell that sets `known` to the host's identity, if the kind has one of its own */
  identity: string
}

export interface AgentInstall extends InstallTexts {
  fileName: (platform: AgentPlatform) => string
  /** what an administrator runs on the host */
  command: (setup: AgentSetup) => string
}

/** One kind of agent reads reports and makes records of them. `agents/` does the rest for all kinds. */
export interface AgentKindDefinition<Facts extends HostFacts, Report extends AgentReport<Facts>, Kept> {
  /** `agent.kind` of its reports; the keys of its hosts and the names of their sources begin with it */
  name: string
  /** state of a host before its first report */
  nothingKept: Kept
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
  /** figures in the reply to a report */
  counts: (kept: Kept) => { containers: number }
}

export type AgentKind = AgentKindDefinition<HostFacts, AgentReport, unknown>

/** `agents/` passes to a kind only values that the kind itself made. */
export const agentKind = <Facts extends HostFacts, Report extends AgentReport<Facts>, Kept>(
  definition: AgentKindDefinition<Facts, Report, Kept>,
): AgentKind => definition as unknown as AgentKind

/**
 * Shared by all kinds of agent: calls, tables, limits and the install script. Error codes, audit events and
 * scopes begin with the kind's name. Reports of Pulse 4.x name no kind; the first kind reads them.
 */
export interface AgentProtocol {
  name: Extract<SourceState['kind'], 'docker'>
  /** on screen and in logs */
  noun: string
  limits: AgentLimits
  /** tables of its hosts and of the removed hosts */
  tables: readonly Table[]
  store: (db: Database) => HostStore
  exportPart: (db: Database, now: () => number) => TransferPart
  diagnose: (check: DockerAgentCheck) => DiagnosticsBlock
  endpoints: AgentEndpoints
  install: AgentInstall
}
