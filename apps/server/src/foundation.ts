import type { LogLevel, VersionInfo } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import type { Area } from './area.ts'
import { type Database, databaseMetrics } from './db/database.ts'
import { type SettingsTable, settingsStore } from './db/settings.ts'
import { createMask, type Mask } from './masking/mask.ts'
import { maskedState } from './masking/masked-state.ts'
import type { Cluster } from './cluster/cluster.ts'
import { createEventBus, type EventBus } from './events.ts'
import type { Machine } from './machine.ts'
import { guardedClock } from './timing/guarded-clock.ts'
import type { Hashing } from './hashing.ts'
import type { Vault } from './seal.ts'
import { databaseTroubles } from './troubles/database-troubles.ts'
import { type FaultReport, faultReports } from './troubles/faults.ts'
import { firstMeta } from './state/first-meta.ts'
import { createTroubles, showTroubles, type Troubles } from './troubles/troubles.ts'
import type { OnRowsChanged, Table } from './row-cache.ts'
import { createSignal, type OnSignal } from './signal.ts'
import type { Config } from './start/config.ts'
import { claimDataDir } from './start/data-dir.ts'
import { keepCopy } from './start/keep-copy.ts'
import { copyPath } from './start/open-data.ts'
import { openStore } from './start/open-store.ts'
import { readVersion } from './start/version.ts'
import { createPlainView, type PlainView } from './state/plain-view.ts'
import { logHealth } from './state/log-health.ts'
import { createState, type State } from './state/state.ts'

/** External dependencies of the product. */
export interface Edges {
  clock: Clock
  log: Logger
  /** not affected by the log level */
  auditLog: Logger
  setLogLevel: (level: LogLevel) => void
  env: NodeJS.ProcessEnv
  machine: Machine
  /** cheap hashes for tests; no setting changes it */
  hashing?: Hashing
  /** Receives the reporter of uncaught errors; called before monitoring starts. */
  outlive?: (report: FaultReport) => void
}

/** Dependencies that every area may use. */
export interface Foundation extends Omit<Edges, 'env' | 'hashing' | 'outlive'>, EventBus {
  config: Config
  hashing: Hashing | undefined
  version: VersionInfo
  /** by the monotonic clock */
  upSince: number
  dataDir: string
  db: Database
  vault: Vault
  store: SettingsTable
  /** A write stored data that an administrator would miss. */
  onWrite: () => void
  /** The stored rows of these tables, or of all, may differ from the cached ones. */
  rowsChanged: (tables?: readonly Table[]) => void
  /** The same; resolves when they have been read again. */
  reload: (tables?: readonly Table[]) => Promise<void>
  onRowsChanged: OnRowsChanged
  /** The disk refused writes and accepts them again. */
  onStorageBack: OnSignal
  onReloadError: (error: unknown) => void
  troubles: Troubles
  /** Logs, counts and shows an uncaught error. */
  report: FaultReport
  state: State
  /** the externally visible part of the state */
  shown: State
  view: PlainView
  mask: Mask | undefined
  /** absent: this process does everything alone */
  cluster: Cluster | undefined
  /** the foundation's own areas, which stop last */
  areas: Area[]
}

/** Claims the data folder, opens the database and creates an empty state. */
export async function openFoundation(config: Config, edges: Edges): Promise<Foundation> {
  const { env, hashing, outlive, ...given } = edges
  const { log } = given
  const troubles = createTroubles(edges.clock, log)
  const { report, guard } = faultReports(troubles)
  const clock = guardedClock(edges.clock, guard('timer'))
  const startedAt = clock.now()
  const upSince = clock.monotonic()
  const version = readVersion(env)
  const rows = createSignal<[tables?: readonly Table[], reading?: Promise<void>[]]>()
  const events = createEventBus()
  const room = createSignal()
  let cluster: Cluster | undefined
  const dataDir = claimDataDir(config.dataDir)
  const store = await openStore(config, dataDir, startedAt, {
    clock,
    onEvent: databaseTroubles(troubles, { reload: () => rows.emit(), storageIsBack: room.emit }),
    onWritten: (table) => cluster?.writes.note(table),
    onFenced: () => cluster?.fenced(),
  }).catch((error: unknown) => {
    dataDir.release()
    throw error
  })
  const { db, vault } = store
  const notices = [...store.notices, ...config.access.warnings]
  const copy = store.renewCopy && keepCopy(store.renewCopy, copyPath(dataDir.path), clock, log)

  const firstRecord = firstMeta(startedAt, version.version, notices, config.cluster !== undefined)
  const own = createState(firstRecord, (error, fault) => report(fault, error), clock)
  async function reload(tables?: readonly Table[]) {
    const reading: Promise<void>[] = []
    rows.emit(tables, reading)
    await Promise.all(reading)
  }

  if (config.cluster) {
    const { joinCluster } = await import('./cluster/index.ts')
    cluster = await joinCluster({
      config: config.cluster,
      state: own,
      clock,
      log,
      version,
      troubles,
      report,
      vault,
      db,
      leading: store.leading!,
      marks: store.marks!,
      clockAheadMs: store.clockAheadMs!,
      onRead: (listener) => rows.on((tables) => listener(tables)),
      installation: store.installation!,
      events,
      reload,
    }).catch(async (error: unknown) => {
      await store.close()
      dataDir.release()
      throw error
    })
  }
  const state = cluster?.state ?? own
  logHealth(state, log)
  showTroubles(troubles, state)
  // what one of several processes has masked, the others have to recognize
  const mask = config.access.demo ? createMask(cluster && vault.keyFor('demonstrations')) : undefined
  const shown = mask ? maskedState(state, mask) : state
  const view = createPlainView(shown, clock, guard('reader'))

  outlive?.(report)
  return {
    ...given,
    ...events,
    ...cluster?.events,
    hashing,
    config,
    clock,
    version,
    upSince,
    dataDir: dataDir.path,
    db,
    vault,
    store: settingsStore(db, vault, clock.now),
    onWrite: copy?.changed ?? (() => {}),
    cluster,
    rowsChanged: (tables) => rows.emit(tables),
    reload,
    onRowsChanged: rows.on,
    onStorageBack: room.on,
    onReloadError: guard('reload'),
    troubles,
    report,
    state,
    shown,
    view,
    mask,
    areas: [
      { name: 'the data folder', stop: dataDir.release },
      { name: 'the database', metrics: databaseMetrics(store), stop: store.close },
      ...(cluster ? [cluster.line] : []),
      ...(copy ? [{ name: 'the copy of the database', stop: copy.stop }] : []),
      { name: 'the state', stop: state.stop },
      { name: 'the documented state', stop: view.stop },
      {
        name: 'the records about Pulse itself',
        start: () => notices.forEach((notice) => log.warn(notice)),
        stop: troubles.stop,
      },
    ],
  }
}
