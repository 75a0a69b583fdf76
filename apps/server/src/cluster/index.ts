import {
  type LiveEvent,
  mainSite,
  type ProcessRole,
  type Readiness,
  type SourceKind,
  type VersionInfo,
} from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { randomUUID } from 'node:crypto'
import os from 'node:os'
import type { Logger } from 'pino'
import type { Area } from '../area.ts'
import type { Collector } from '../collectors/source.ts'
import type { Database } from '../db/database.ts'
import type { Leading } from '../db/postgres.ts'
import type { EventBus } from '../events.ts'
import type { Table } from '../row-cache.ts'
import type { Vault } from '../seal.ts'
import { createSignal, type OnSignal } from '../signal.ts'
import type { State } from '../state/state.ts'
import type { FaultReport } from '../troubles/faults.ts'
import type { Troubles } from '../troubles/troubles.ts'
import { type Bus, openBus } from './bus.ts'
import { type Calls, createCalls } from './calls.ts'
import { clusterMetrics } from './cluster-metrics.ts'
import { shareEvents } from './events.ts'
import { startCollecting } from './collecting.ts'
import { watchDoubt } from './lead-doubt.ts'
import { type Leadership, seekLeadership } from './leadership.ts'
import { type Claimed, leasedCollectors } from './leased-collectors.ts'
import { openLeases } from './leases.ts'
import type { NatsSettings } from './nats-settings.ts'
import { openPresence } from './presence.ts'
import { limitRefusals } from './refusals.ts'
import { createReloads } from './reloads.ts'
import { type RightsWatch, watchRights } from './rights-watch.ts'
import { shareState } from './shared-state.ts'
import { shownProcesses } from './shown-processes.ts'
import type { SiteLink } from './site-link.ts'
import { sourceCosts } from './source-costs.ts'
import { createOwnSources } from './own-sources.ts'
import { keepUnsavedWrites } from './unsaved-writes.ts'
import { shareWrites, type SharedWrites } from './writes.ts'

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
  /** the same in all processes */
  state: State
  /** the same, for what one process does for all */
  ledState: State
  /** for what the process that leads writes about alerts and messages */
  ledDatabase: Database
  has(role: ProcessRole): boolean
  /** Collect what this process has the lease of. */
  collectors(own: Record<SourceKind, Collector>): Record<SourceKind, Collector>
  /** what processes write to the database */
  writes: Pick<SharedWrites, 'note' | 'since' | 'now'>
  /** Publishes events on the pages of all processes while this one leads. */
  events: Pick<EventBus, 'publish' | 'refresh'>
  /** Whether this process answers what only the one that leads can answer. */
  readonly isLeading: boolean
  /** Whether it may do for all what cannot be undone. */
  mayAct(): boolean
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
  /** whether this process knows the rights of callers */
  rights: Pick<RightsWatch, 'areKnown' | 'look' | 'onChange'>
  link: SiteLink
  /** Stops after everything that is led or shared: another process leads then. */
  line: Area
  /** Starts when the connections are known. */
  area: Area
}

const trouble = 'nats'
/** Servers that keep a copy of streams and buckets. JetStream works while more than half of them do. */
const mostReplicas = 3

/** Rejects if no NATS server answers. */
export async function joinCluster(edges: ClusterEdges): Promise<Cluster> {
  const { config, clock, troubles, report } = edges
  const { nats, roles } = config
  const id = randomUUID()
  const onFault = (error: unknown) => report('cluster', error)
  const back = createSignal()
  const bus = await openBus(nats, {
    name: `pulse ${roles.join()} ${id}`,
    clock,
    onLost: (why) =>
      troubles.begin(
        trouble,
        `NATS does not answer (${why}). This process goes on with what it has; figures from other processes are stale until it is back.`,
      ),
    onBack() {
      troubles.end(trouble, 'NATS did not answer for a while. It is back.')
      back.emit()
    },
  })
  try {
    return await joinOver(bus, { ...edges, id, onFault, onBack: back.on })
  } catch (error) {
    // the next attempt has a connection of its own
    await bus.close()
    throw error
  }
}

interface Joining extends ClusterEdges {
  /** of this process */
  id: string
  onFault: (error: unknown) => void
  /** The line is back. */
  onBack: OnSignal
}

async function joinOver(bus: Bus, edges: Joining): Promise<Cluster> {
  const { config, state, clock, log, version, vault, leading, events, reload, id, onFault, onBack } = edges
  const { nats, roles, site } = config
  const replicas = Math.min(mostReplicas, nats.servers.length)
  const takesOthers = roles.some((role) => role !== 'collect')
  const onRefused = limitRefusals(clock, (refusal) =>
    log.warn(refusal, 'a message of another process was refused'),
  )

  const reloads = createReloads({ clock, reload })
  let wasCut = false
  const unsubscribe = onBack(() => (wasCut = true))
  const ownSources = createOwnSources()
  const { held, siteOf, connectionOf } = ownSources
  const shared = await shareState({
    state,
    bus,
    site,
    clock,
    replicas,
    connectionOf,
    connections: () => ownSources.sources().map((source) => connectionOf(source)!),
    takesOthers,
    onFault,
    onRefused,
  })
  unsubscribe()
  onBack(() => {
    void shared.lineIsBack().catch(onFault)
    // what either side has published meanwhile is lost
    void reloads.request()
    writes.announceAll()
  })
  if (wasCut) await shared.lineIsBack()
  const leases = await openLeases({ bus, holder: id, site, clock, replicas, onFault })
  let isReady = false
  let leadership: Leadership | undefined
  const isLeading = () => isReady && leadership?.isLeading === true
  const { installation } = edges
  const started = {
    id,
    installation,
    host: os.hostname(),
    site,
    version: version.version,
    roles,
    startedAt: clock.now(),
  }
  const presence = await openPresence({
    bus,
    own: () => ({
      ...started,
      leads: isLeading(),
      sources: held.size,
      moves: ownSources.moves,
      waiting: shared.waiting(),
      ...(leadership && { hasDatabase: leadership.hasDatabase }),
    }),
    clock,
    replicas,
    onFault,
  })
  const writes = shareWrites({
    bus,
    own: id,
    clock,
    onWritten: (tables) => void reloads.request(tables),
  })
  /** Whether there is another process that may lead, and that the database answers. */
  const hasOther = async () =>
    (await presence.list()).some(
      (one) =>
        one.id !== id &&
        // collectors of other sites may write anything about themselves
        [site, mainSite].includes(one.site) &&
        one.roles.includes('judge') &&
        one.hasDatabase === true,
    )
  const rights = watchRights({
    clock,
    marks: edges.marks,
    read: reload,
    onRead: edges.onRead,
    hasNoOther: async () => bus.isUp && !(await hasOther()),
  })
  const doubt = watchDoubt({ clock, lead: () => leadership, troubles: edges.troubles, onFault })
  const sharedEvents = shareEvents({ bus, own: id, events, onRefused })
  const unsaved = await keepUnsavedWrites({
    bus,
    db: edges.db,
    leading,
    vault,
    clock,
    log,
    replicas,
    mayAct: () => leadership?.mayAct() === true,
    onFault,
  })
  const calls = createCalls({ bus, own: id, vault, clock, onFault, onRefused })

  const claimed: Claimed = {
    isKnown: shared.isSaid,
    watch(source, own) {
      const end = ownSources.watch(source, own)
      shared.known(source, siteOf(source)!)
      return end
    },
  }
  let collecting: ReturnType<typeof startCollecting> | undefined

  const deposed = createSignal<[why: string]>()
  let answer: (question: unknown) => Promise<unknown> = () => Promise.reject(new Error('nothing answers'))
  let endAnswering = () => {}

  async function lead(areas: readonly Area[], fence: string) {
    log.info('this process leads: alerts, notifications and reports of agents')
    shared.lead(fence)
    await unsaved.lead()
    // what the process that led before has written
    await reload()
    writes.announceAll()
    for (const area of areas) await area.lead?.()
    shared.forgetUnled()
    isReady = true
    presence.renew()
    endAnswering = calls.answer(fence, { mayAnswer: () => leadership?.mayAct() === true, answer })
  }

  return {
    state: shared.state,
    ledState: shared.ledState,
    ledDatabase: unsaved.db,
    has: (role) => roles.includes(role),
    collectors: (own) => leasedCollectors(own, claimed),
    writes,
    events: {
      publish(event: LiveEvent, isMeant) {
        events.publish(event, isMeant)
        if (isLeading() && !isMeant) sharedEvents.publish(event)
      },
      refresh() {
        events.refresh()
        if (isLeading()) sharedEvents.refresh()
      },
    },
    get isLeading() {
      return isLeading()
    },
    mayAct: () => leadership?.mayAct() === true,
    ask: calls.ask,
    answerWith: (own) => void (answer = own),
    canLead(areas) {
      if (!roles.includes('judge')) return
      leadership = seekLeadership({
        leases,
        database: leading,
        clock,
        canOtherLead: async () => bus.isUp && (await hasOther()),
        onLead: (fence) => lead(areas, fence),
        onDeposed(why) {
          endAnswering()
          log.warn({ why }, 'this process does not lead any more, and starts again')
          deposed.emit(why)
        },
        onFault,
      })
    },
    fenced: () => leadership?.refused(),
    onDeposed: deposed.on,
    rights,
    link: { bus, replicas, own: site, present: presence.list, onRefused },
    readiness: () => ({
      // pages are shown without the database too
      ready: bus.isUp && (roles.includes('serve') || leadership?.hasDatabase !== false),
      roles: [...roles],
      leads: isLeading(),
    }),
    area: {
      name: 'the cluster',
      diagnose: async () => ({ processes: shownProcesses(await presence.list()) }),
      metrics: clusterMetrics({
        leads: isLeading,
        sources: () => held.size,
        waiting: shared.waiting,
        isUp: () => bus.isUp,
      }),
      async start() {
        await shared.follow()
        collecting = startCollecting({
          bus,
          leases,
          presence,
          shared,
          ownSources,
          own: id,
          site,
          clock,
          costOf: sourceCosts(state.tables, clock, shared.heardRecords),
          collects: roles.includes('collect'),
          mark: takesOthers ? state.markSiteUnreachable : undefined,
          onFault,
        })
      },
      async stop() {
        leadership?.close()
        endAnswering()
        calls.stop()
        await collecting?.stop().catch(onFault)
      },
    },
    line: {
      name: 'the line to other processes',
      async stop() {
        rights.stop()
        unsaved.stop()
        doubt.stop()
        reloads.stop()
        writes.stop()
        sharedEvents.stop()
        // Without NATS nothing can be returned: it ends by its age. The rest has to end all the same.
        for (const end of [shared.stop, async () => leadership?.stop(), presence.leave, bus.close])
          await end().catch(onFault)
      },
    },
  }
}
