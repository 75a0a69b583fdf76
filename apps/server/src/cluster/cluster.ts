import type { ProcessRole, Readiness, SourceKind, VersionInfo } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import type { Area } from '../area.ts'
import type { Collector } from '../collectors/source.ts'
import type { Database } from '../db/database.ts'
import type { Leading } from '../db/postgres.ts'
import type { EventBus } from '../events.ts'
import type { Table } from '../row-cache.ts'
import type { Vault } from '../seal.ts'
import type { OnSignal } from '../signal.ts'
import type { State } from '../state/state.ts'
import type { FaultReport } from '../troubles/faults.ts'
import type { Troubles } from '../troubles/troubles.ts'
import type { Calls } from './lead/calls.ts'
import type { NatsSettings } from './nats/nats-settings.ts'
import type { ProxyRoles } from './rights/proxy-roles.ts'
import type { RightsWatch } from './rights/rights-watch.ts'
import type { SiteKeys } from './sites/site-keys.ts'
import type { SiteLink } from './sites/site-link.ts'
import type { SharedWrites } from './writes.ts'

export interface ClusterConfig {
  nats: NatsSettings
  roles: readonly ProcessRole[]
  site: string
}

export interface ClusterEdges {
  config: ClusterConfig
  state: State
  clock: Clock
  log: Logger
  version: VersionInfo
  troubles: Troubles
  report: FaultReport
  vault: Vault
  db: Database
  /** the same, for the process that leads */
  leading: Leading
  /** A text for each table, which is another one after a change. */
  marks: (tables: readonly Table[]) => Promise<string[]>
  /** of the wall clock of this process, ahead of that of the database; undefined: not known yet */
  clockAheadMs: () => number | undefined
  /** Rows are read again. */
  onRead: OnSignal<[tables?: readonly Table[]]>
  /** the same for all processes on that database */
  installation: string
  events: EventBus
  /** Other processes have changed rows of these tables, or of any. Resolves when they have been read again. */
  reload: (tables?: readonly Table[]) => Promise<void>
}

/** This process as one of several that watch the same estate. */
export interface Cluster {
  /** with the wall time of the database, for rights that end at a time */
  clock: Clock
  /** the same in all processes */
  state: State
  /** the same, for what one process does for all */
  ledState: State
  /** for what the process that leads writes about alerts and messages */
  ledDatabase: Database
  has(role: ProcessRole): boolean
  /** Collect what this process has the lease of, and test a connection where it is collected. */
  collectors(own: Record<SourceKind, Collector>, keys: SiteKeys): Record<SourceKind, Collector>
  /** what processes write to the database */
  writes: Pick<SharedWrites, 'note' | 'since' | 'now'>
  /** Publishes events on the pages of all processes while this one leads. */
  events: Pick<EventBus, 'publish' | 'refresh'>
  /** Whether this process answers what only the one that leads can answer. */
  readonly isLeading: boolean
  /** Whether it may do for all what cannot be undone. */
  mayAct(): boolean
  /** Before this process answers as the one that leads: resolves when it is as clear as it can be whether it still does. */
  checkLead(): Promise<void>
  /** Asks the process that leads. Rejects with an AppError. */
  ask: Calls['ask']
  /** Answers what other processes ask this one while it leads. */
  answerWith(answer: (question: unknown) => Promise<unknown>): void
  /** All areas have started: this process may lead them from now on. */
  canLead(areas: readonly Area[]): void
  /** The database has refused a write of this process as the one that leads. */
  fenced(): void
  /** Another process leads now. This one must start again. */
  onDeposed: OnSignal<[why: string]>
  readiness(): Readiness
  /** roles of users whom a proxy has authenticated, for sockets at other processes */
  proxyRoles: Pick<ProxyRoles, 'publish' | 'onHeard'>
  /** whether this process knows the rights of callers */
  rights: Pick<RightsWatch, 'areKnown' | 'look' | 'onChange'>
  link: SiteLink
  /** Stops after everything that is led or shared: another process leads then. */
  line: Area
  /** Starts when the connections are known. */
  area: Area
}
