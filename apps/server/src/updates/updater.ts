import type { LiveEvent, UpdateHistoryEntry, UpdateStatus, VersionInfo } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import { AppError } from '../app-error.ts'
import type { Channel, Release } from './feed.ts'
import { stagedFolder, type SwitchProgress } from './handover.ts'
import type { UpdateHistory } from './history.ts'
import { isRequested, readProgress, withdrawRequest, writeRequest } from './progress.ts'
import { stageRelease, type StageEdges } from './stage.ts'
import { createTicker, type Ticker } from '../timing/ticker.ts'
import { openUpdateLog } from './update-log.ts'
import { spaceError, UpdateError } from './update-error.ts'

const LOOK_MS = 500
/** An active unit takes a request at once; without one the request stays. */
const UNHEARD_MS = 60_000
/** A switch without progress for this long has ended, with an unknown result. */
const NO_PROGRESS_MS = 20 * 60_000
const underWay = 'An update is in progress. Wait for it to finish.'

export type Initiator = Pick<UpdateHistoryEntry, 'initiated_by' | 'initiated_via'>

export interface UpdaterEdges {
  /** why this installation cannot replace itself, if so; an earlier process's update is ended nevertheless */
  stage: Omit<StageEdges, 'report' | 'dataDir' | 'running'> | { why: string }
  version: VersionInfo
  dataDir: string
  history: UpdateHistory
  publish: (event: LiveEvent) => void
  onFault: (error: unknown) => void
  clock: Clock
  log: Logger
}

export interface Updater {
  status(): UpdateStatus
  /** Why no update can begin now, if so: one is in progress, or the installation cannot be replaced. */
  obstacle(): string | undefined
  /** Begins an update; throws when that is impossible. */
  begin(release: Release, channel: Channel, by: Initiator): void
  /** Continues the update of an earlier process. */
  start(): void
  stop(): void
}

/** Runs one update at a time: fetches it, hands it over, and records the result. */
export function createUpdater({
  stage,
  version,
  dataDir,
  history,
  publish,
  onFault,
  clock,
  log,
}: UpdaterEdges): Updater {
  const said = (now: Omit<UpdateStatus, 'updatedAt'>): UpdateStatus => ({
    ...now,
    updatedAt: new Date(clock.now()).toISOString(),
  })
  let status = said({ status: 'idle', progress: 0, message: '' })
  let running: string | undefined
  let looking: Ticker | undefined
  let stopped = false
  const steps = openUpdateLog(dataDir, log)

  function show(id: string, now: UpdateStatus): void {
    status = now
    steps.add(id, now)
    publish({ type: 'update:progress', data: now })
  }

  async function run(
    id: string,
    release: Release,
    edges: Exclude<typeof stage, { why: string }>,
  ): Promise<void> {
    try {
      const report = (status: Omit<UpdateStatus, 'updatedAt'>) => show(id, said(status))
      const { bytes } = await stageRelease(release, { ...edges, dataDir, running: version.version, report })
      if (stopped) return
      history.change(id, { download_bytes: bytes })
      writeRequest(dataDir, { id, version: release.version })
      watch(id)
    } catch (error) {
      if (stopped) return // the next start finds it unfinished
      const known = error instanceof UpdateError ? error : spaceError(error)
      if (!known) onFault(error)
      fail(id, { code: known?.code ?? 'handover', message: known?.message ?? String(error) })
    }
  }

  function fail(id: string, error: NonNullable<UpdateHistoryEntry['error']>): void {
    try {
      fs.rmSync(path.join(dataDir, stagedFolder), { recursive: true, force: true })
    } catch (cause) {
      onFault(cause) // the next update clears it
    }
    log.error(`The update failed: ${error.message}`)
    close(id, 'failed', { error })
    show(
      id,
      said({
        status: 'error',
        progress: 100,
        message: `${version.version} keeps running`,
        error: error.message,
      }),
    )
  }

  function close(
    id: string,
    outcome: UpdateHistoryEntry['status'],
    more: Partial<UpdateHistoryEntry> = {},
  ): void {
    running = undefined
    looking?.stop()
    const begun = Date.parse(history.find(id)?.timestamp ?? '')
    const duration_ms = Number.isNaN(begun) ? 0 : Math.max(0, clock.now() - begun)
    try {
      history.change(id, { status: outcome, duration_ms, ...more })
    } catch (error) {
      onFault(error) // the result stays in memory until the next start, which compares versions
    }
  }

  /** Reads the switch's progress until it has ended. */
  function watch(id: string): void {
    running = id
    let heardAt = clock.monotonic()
    let last = ''

    function look(): void {
      const progress = readProgress(dataDir, id)
      if (progress?.outcome) return end(id, progress)
      if (progress && progress.updatedAt !== last) {
        last = progress.updatedAt
        heardAt = clock.monotonic()
        show(id, shownOf(progress))
      }
      const quietMs = clock.monotonic() - heardAt
      if (!progress && isRequested(dataDir) && quietMs >= UNHEARD_MS) {
        withdrawRequest(dataDir)
        const message =
          'The updater did not start: is pulse-update.path active? Run: systemctl enable --now pulse-update.path'
        return fail(id, { code: 'handover', message })
      }
      if (quietMs >= NO_PROGRESS_MS) endUnheard(id)
    }

    looking = createTicker({ clock, intervalMs: LOOK_MS, run: look, onError: onFault })
    looking.now()
  }

  function end(id: string, progress: SwitchProgress): void {
    const { outcome, fault, backup } = progress
    close(id, outcome!, { ...(fault && { error: fault }), ...(backup && { backup_path: backup }) })
    show(id, shownOf(progress))
    log.info(`The update has ended (${outcome}): ${progress.message}`)
  }

  /** No more progress will come, so the running version decides the result. */
  function endUnheard(id: string): void {
    const to = history.find(id)?.version_to
    if (to === version.version) {
      close(id, 'success', { notes: 'found running' })
      return show(id, said({ status: 'completed', progress: 100, message: `${to} runs` }))
    }
    fail(id, { code: 'interrupted', message: 'The update was interrupted.' })
  }

  return {
    status: () => status,
    obstacle: () => ('why' in stage ? stage.why : running === undefined ? undefined : underWay),
    begin(release, channel, by) {
      if ('why' in stage) throw new AppError('conflict', stage.why)
      if (running !== undefined) throw new AppError('conflict', underWay)
      const id = randomUUID()
      const last = history.list().find(({ version_to }) => version_to === release.version)
      const failed = last !== undefined && last.status !== 'success' ? last : undefined
      running = id
      try {
        history.add({
          event_id: id,
          timestamp: new Date(clock.now()).toISOString(),
          action: 'update',
          channel,
          version_from: version.version,
          version_to: release.version,
          deployment_type: version.deploymentType,
          ...by,
          status: 'in_progress',
          duration_ms: 0,
          log_path: steps.pathOf(id),
          ...(failed && { related_event_id: failed.event_id }),
        })
      } catch (cause) {
        running = undefined
        const message = spaceError(cause)?.message
        if (message === undefined) throw cause
        throw new AppError('storage_unavailable', message, { cause })
      }
      log.info(`An update from ${version.version} to ${release.version} begins`)
      steps.keepOnly(history.list().map(({ event_id }) => event_id))
      show(id, said({ status: 'downloading', progress: 0, message: `Downloading ${release.version}` }))
      void run(id, release, stage)
    },
    start() {
      for (const { event_id: id, status: state } of history.list()) {
        if (state !== 'in_progress') continue
        const isHandedOver = isRequested(dataDir) || readProgress(dataDir, id) !== undefined
        if (running === undefined && isHandedOver) watch(id)
        else endUnheard(id)
      }
    },
    stop() {
      stopped = true
      looking?.stop()
    },
  }
}

const shownOf = ({ status, progress, message, updatedAt, fault }: SwitchProgress): UpdateStatus => ({
  status,
  progress,
  message,
  updatedAt,
  ...(fault && { error: fault.message }),
})
