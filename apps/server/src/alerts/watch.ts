import type { Alert, AlertConfig, AlertTrace, LiveEvent, ResolvedAlert } from '@pulse/contract'
import {
  type AlertChange,
  type AlertEngine,
  type Clock,
  createAlertEngine,
  type EpisodeEnd,
  maxResolved,
  type SentNotice,
  type StatePatch,
  type StoredAlert,
  type StoredResolved,
} from '@pulse/domain'
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { AppError } from '../app-error.ts'
import type { AlertStore } from '../db/alerts.ts'
import { createMutex, idle } from '../timing/concurrency.ts'
import { yieldToEventLoop } from '../timing/yield.ts'
import type { State } from '../state/state.ts'
import { createTicker, type Ticker } from '../timing/ticker.ts'
import { createDueTimer } from '../timing/due-timer.ts'
import { createAlertWriter } from './alert-writer.ts'
import { endLostEpisodes } from './lost-episodes.ts'
import { fromAlertRows, readMemory } from './rows.ts'

/** Ended alerts are remembered for this time: an acknowledgement stays when they recur. */
const rememberMs = 3_600_000
/** Bound on the figures and rule memory that a killed server loses. */
const settleMs = 15 * 60_000
const source = 'alerts'
const notStored =
  'The change took effect but could not be stored: the data folder cannot be written. Pulse retries every few seconds; a restart before then undoes the change.'

/**
 * Runs the alert engine: takes patches of the state, writes the changes to the disk, then notifies listeners
 * and pages.
 */
export interface AlertWatch {
  /** the open alerts as stored */
  active(): ReadonlyMap<string, Alert>
  /** The open alerts as stored. */
  stored(): readonly StoredAlert[]
  /** When and why these episodes ended, if known. */
  endsOf(episodes: readonly string[]): Promise<ReadonlyMap<string, EpisodeEnd>>
  /** Returns the known ids after the change is stored. */
  acknowledge(ids: readonly string[], user: string): Promise<ReadonlySet<string>>
  unacknowledge(ids: readonly string[]): Promise<ReadonlySet<string>>
  clear(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Notifications were delivered. */
  notified(notices: readonly SentNotice[]): void
  explain(what: string): AlertTrace['conditions'] | undefined
  /** evaluations since the start, and their total time */
  evaluations(): { count: number; seconds: number }
  /** Retries refused writes at once. */
  storageIsBack(): Promise<void>
  /** Applies new settings; resolves when every record has been evaluated. */
  configure(config: AlertConfig): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

export interface AlertWatchEdges {
  store: AlertStore
  state: State
  clock: Clock
  log: Logger
  config: () => AlertConfig
  publish: (event: LiveEvent) => void
  /** Called after the changes were stored, also while alerts are not active. A refresh is stored later. */
  onChanges: (changes: readonly AlertChange[]) => void
  /** A user changed an alert; pages update immediately. */
  refresh: () => void
  /** a rule or a timer threw */
  onFault: (error: unknown) => void
}

interface Picture {
  active: ReadonlyMap<string, Alert>
  resolved: ReadonlyMap<string, ResolvedAlert>
}

const isShown = ({ enabled, activationState }: AlertConfig) => enabled && activationState === 'active'

export function createAlertWatch(edges: AlertWatchEdges): AlertWatch {
  const { store, state, clock, log, config, publish, onChanges, refresh, onFault } = edges
  const writer = createAlertWriter(store, clock, log)
  const mutex = createMutex()
  /** the stored memory of the engine */
  let kept: string | undefined
  const moment = () => ({ now: clock.now(), monotonic: clock.monotonic() })
  let engine: AlertEngine | undefined
  const evaluations = { count: 0, seconds: 0 }
  let picture: Picture = { active: new Map(), resolved: new Map() }
  let unpublished: AlertChange[] = []
  /** the latest refresh of each alert since its last other change */
  const refreshes = new Map<string, AlertChange>()
  let isWriting = false
  let settling: Ticker | undefined
  /** pending until every record has been evaluated with the current settings */
  let judging: Promise<void> | undefined
  let unsubscribe = () => {}

  const dueTimer = createDueTimer({
    clock,
    dueAt: () => engine?.nextDue(),
    run() {
      if (engine) take(engine.due(moment()))
    },
    onError: onFault,
  })

  /** Changes that arrive meanwhile are written in the next round. */
  function take(changes: readonly AlertChange[]): void {
    dueTimer.reschedule()
    const isForgotten = engine?.recentlyResolved().size !== picture.resolved.size
    if (changes.length === 0 && !isForgotten) return
    writer.take(changes)
    for (const change of changes) {
      const { id } = change.stored.alert
      refreshes.delete(id)
      if (change.what === 'refreshed') refreshes.set(id, change)
      else unpublished.push(change)
    }
    if (isWriting) return
    isWriting = true
    void mutex(round)
  }

  /** Stores changes before they are shown. The changes of new settings are shown together. */
  async function round(): Promise<void> {
    await judging
    isWriting = false
    if (!engine) return
    const changes = [...unpublished, ...refreshes.values()]
    unpublished = []
    refreshes.clear()
    const next: Picture = {
      active: new Map(engine.active()),
      resolved: new Map(engine.recentlyResolved()),
    }
    await writer.write()
    picture = next
    show()
    if (changes.length > 0) onChanges(changes)
    if (isShown(config())) for (const event of changes.flatMap(toEvent)) publish(event)
  }

  function show() {
    const none = new Map<string, never>()
    const { active, resolved } = isShown(config()) ? picture : { active: none, resolved: none }
    state.observe({ source, records: { activeAlerts: active, recentlyResolved: resolved } })
  }

  const settle = () =>
    mutex(async () => {
      if (!engine) return
      await writer.settle()
      // Ended alerts have their own rows.
      const memory = JSON.stringify({ ...engine.snapshot(moment()).memory, gone: [] })
      if (memory !== kept) await store.setMemory(memory)
      kept = memory
      await store.forgetResolved(clock.now() - rememberMs, maxResolved)
    })

  /** Evaluates all records with new settings in steps that yield to the event loop. */
  async function judgeInSteps(by: AlertEngine): Promise<void> {
    while (by.isBusy) {
      await yieldToEventLoop()
      try {
        take(by.step())
      } catch (error) {
        onFault(error)
      }
    }
    judging = undefined
  }

  /** Returns the ids that existed. */
  async function act(ids: readonly string[], how: (engine: AlertEngine) => readonly AlertChange[]) {
    await judging
    const known = new Set(ids.filter((id) => engine?.active().has(id)))
    if (engine && known.size > 0) {
      const changes = how(engine)
      take(changes)
      await idle(mutex)
      // The disk refused this change before. The repeated request writes it again.
      if (changes.length === 0 && writer.refusal() !== undefined) await writer.write()
      refresh()
      const cause = writer.refusal()
      if (cause !== undefined) throw new AppError('storage_unavailable', notStored, { cause })
    }
    return known
  }

  async function restore(): Promise<AlertEngine> {
    const restored = await fromAlertRows(store.all(), (alert) =>
      log.error({ alert }, 'cannot read a stored alert; it fires again if its condition still holds'),
    )
    await endLostEpisodes(store, restored.alerts, log)
    return createAlertEngine({
      tables: state.tables,
      config: config(),
      restored: { ...restored, memory: await memory() },
      newId: randomUUID,
      onFault,
      moment: moment(),
    })
  }

  async function memory() {
    kept = await store.memory()
    return kept === undefined
      ? undefined
      : readMemory(kept, () => log.error('cannot read the stored alert state; it starts empty'))
  }

  function follow(patch: StatePatch) {
    const { activeAlerts: _own, recentlyResolved: _over, meta: _meta, ...rest } = patch
    if (!engine || Object.keys(rest).length === 0) return
    const startedAt = clock.monotonic()
    take(engine.apply(rest, moment()))
    evaluations.count++
    evaluations.seconds += (clock.monotonic() - startedAt) / 1000
  }

  return {
    active: () => picture.active,
    stored: () => engine?.snapshot(moment()).alerts ?? [],
    endsOf: async (episodes) => {
      const gone = engine?.snapshot(moment()).memory.gone ?? []
      return new Map([...endsAmong(gone, episodes), ...(await store.endsOf(episodes))])
    },
    acknowledge: (ids, user) => act(ids, (own) => own.acknowledge(ids, user, moment())),
    unacknowledge: (ids) => act(ids, (own) => own.unacknowledge(ids, moment())),
    clear: (ids) => act(ids, (own) => own.clear(ids, moment())),
    notified(notices) {
      if (engine) take(engine.notified(notices, moment()))
    },
    explain: (what) => engine?.explain(what, moment()),
    evaluations: () => evaluations,
    storageIsBack: writer.write,
    async configure(next) {
      if (!engine) return
      engine.configure(next, moment())
      show()
      judging ??= judgeInSteps(engine)
      await judging
    },
    async start() {
      engine = await restore()
      picture = { active: new Map(engine.active()), resolved: new Map(engine.recentlyResolved()) }
      unsubscribe = state.subscribe(follow)
      show()
      dueTimer.reschedule()
      settling = createTicker({
        clock,
        intervalMs: settleMs,
        run: settle,
        onError: (err) => log.error({ err }, 'cannot store the alert state'),
      })
    },
    async stop() {
      unsubscribe()
      dueTimer.stop()
      settling?.stop()
      await judging
      await idle(mutex)
      try {
        await settle()
      } finally {
        writer.stop()
        engine = undefined
      }
    },
  }
}

const shownChanges: readonly AlertChange['what'][] = ['raised', 'reopened', 'reminded', 'escalated']

function toEvent({ what, stored: { alert } }: AlertChange): LiveEvent[] {
  if (shownChanges.includes(what)) return [{ type: 'alert', data: alert }]
  if (what === 'leveled' && alert.level === 'critical') return [{ type: 'alert', data: alert }]
  if (what === 'resolved' || what === 'cleared')
    return [{ type: 'alertResolved', data: { alertId: alert.id } }]
  return []
}

/** The history may have been deleted since. */
function endsAmong(gone: readonly StoredResolved[], episodes: readonly string[]): [string, EpisodeEnd][] {
  const asked = new Set(episodes)
  return gone.flatMap(({ stored: { alert, episode }, endedAt: at }): [string, EpisodeEnd][] =>
    asked.has(episode) ? [[episode, { at, reason: alert.endReason, note: alert.endNote }]] : [],
  )
}
