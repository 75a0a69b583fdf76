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

/** Alerts that are over are remembered that long: what was acknowledged stays so when it comes again. */
const rememberMs = 3_600_000
/** What a server that is killed may lose of figures, and of what rules remember. */
const settleMs = 15 * 60_000
const source = 'alerts'
const notStored =
  'The change took effect but could not be stored: the data folder cannot be written. Pulse retries every few seconds; a restart before then undoes the change.'

/** What is an alert, from patches of the state to the disk and from there to everybody. */
export interface AlertWatch {
  /** as they are stored */
  active(): ReadonlyMap<string, Alert>
  /** Open ones with all that is kept of them. */
  stored(): readonly StoredAlert[]
  /** When and why these ended, as far as that is known. */
  endsOf(episodes: readonly string[]): Promise<ReadonlyMap<string, EpisodeEnd>>
  /** The ids that there are; done when it is stored. */
  acknowledge(ids: readonly string[], user: string): Promise<ReadonlySet<string>>
  unacknowledge(ids: readonly string[]): Promise<ReadonlySet<string>>
  clear(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Messages about alerts were delivered. */
  notified(notices: readonly SentNotice[]): void
  explain(what: string): AlertTrace['conditions'] | undefined
  /** looks at what has changed since the start, and what they took together */
  evaluations(): { count: number; seconds: number }
  /** What the disk refused is stored at once: there is room again. */
  storageIsBack(): Promise<void>
  /** Other settings are in force; done when everything has been judged by them. */
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
  /** What has just been stored, also while alerts are not active. */
  tell: (changes: readonly AlertChange[]) => void
  /** Somebody has done something about an alert: who looks is to see it soon. */
  refresh: () => void
  /** a rule that throws, or what falls due */
  onFault: (error: unknown) => void
}

interface Picture {
  active: ReadonlyMap<string, Alert>
  resolved: ReadonlyMap<string, ResolvedAlert>
}

const isShown = ({ enabled, activationState }: AlertConfig) => enabled && activationState === 'active'

export function createAlertWatch(edges: AlertWatchEdges): AlertWatch {
  const { store, state, clock, log, config, publish, tell, refresh, onFault } = edges
  const writer = createAlertWriter(store, clock, log)
  const mutex = createMutex()
  /** the memory of the engine, as it is stored */
  let kept: string | undefined
  const moment = () => ({ now: clock.now(), monotonic: clock.monotonic() })
  let engine: AlertEngine | undefined
  const evaluations = { count: 0, seconds: 0 }
  let picture: Picture = { active: new Map(), resolved: new Map() }
  let untold: AlertChange[] = []
  let isWriting = false
  let settling: Ticker | undefined
  /** until every record has been judged by the settings in force */
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

  /** Everything that comes up meanwhile goes with the next round. */
  function take(changes: readonly AlertChange[]): void {
    dueTimer.reschedule()
    const isForgotten = engine?.recentlyResolved().size !== picture.resolved.size
    if (changes.length === 0 && !isForgotten) return
    writer.take(changes)
    for (const change of changes) if (change.what !== 'refreshed') untold.push(change)
    if (isWriting) return
    isWriting = true
    void mutex(round)
  }

  /** On the disk first, so that nothing that was shown is lost; what settings change is shown as a whole. */
  async function round(): Promise<void> {
    await judging
    isWriting = false
    if (!engine) return
    const changes = untold
    untold = []
    const next: Picture = {
      active: new Map(engine.active()),
      resolved: new Map(engine.recentlyResolved()),
    }
    await writer.write()
    picture = next
    show()
    if (changes.length > 0) tell(changes)
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
      // What is over has rows of its own.
      const memory = JSON.stringify({ ...engine.snapshot(moment()).memory, gone: [] })
      if (memory !== kept) await store.setMemory(memory)
      kept = memory
      await store.forgetResolved(clock.now() - rememberMs, maxResolved)
    })

  /** Ten thousand records by new settings: others have their turn in between. */
  async function judgeInTurns(by: AlertEngine): Promise<void> {
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

  /** The ids of what was there; the rest is as it was. */
  async function act(ids: readonly string[], how: (engine: AlertEngine) => readonly AlertChange[]) {
    await judging
    const known = new Set(ids.filter((id) => engine?.active().has(id)))
    if (engine && known.size > 0) {
      const changes = how(engine)
      take(changes)
      await idle(mutex)
      // The disk refused this change before: a second request writes it again.
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
      judging ??= judgeInTurns(engine)
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

/** The history may have been cleared since. */
function endsAmong(gone: readonly StoredResolved[], episodes: readonly string[]): [string, EpisodeEnd][] {
  const asked = new Set(episodes)
  return gone.flatMap(({ stored: { alert, episode }, endedAt: at }): [string, EpisodeEnd][] =>
    asked.has(episode) ? [[episode, { at, reason: alert.endReason, note: alert.endNote }]] : [],
  )
}
