import {
  alertDefaults,
  type AlertConfig,
  type AnyRecord,
  kindOf,
  type RecordKind,
  type RecordOf,
  type SourceState,
} from '@pulse/contract'
import { createEstate } from '../estate.ts'
import type { AlertLimits } from './alert-bound.ts'
import { createAlertEngine } from './engine.ts'
import type { SentNotice } from './notified.ts'
import type { AlertChange, Restored } from './stored.ts'

export const T0 = Date.UTC(2026, 0, 1, 12)
export const pollMs = 10_000
export const minuteMs = 60_000
export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

export type Lists = { [K in RecordKind]?: readonly RecordOf<K>[] }

/** The factory settings with changes. */
export const settings = (change: Partial<AlertConfig> = {}): AlertConfig => ({ ...alertDefaults, ...change })

/** An estate with sources, and an engine that reads it. Time passes only by `pass` and `poll`. */
export function anEngine(config = settings(), restored?: Restored, limits?: AlertLimits) {
  const estate = createEstate()
  let monotonic = 0
  let wall = T0
  let episodes = 0
  const said: AlertChange[] = []
  const moment = () => ({ now: wall + monotonic, monotonic })
  const start = (from: Restored | undefined, of: AlertConfig) =>
    createAlertEngine({
      tables: estate.tables,
      config: of,
      restored: from,
      limits,
      newId: () => `episode-${++episodes}`,
      moment: moment(),
    })
  let engine = start(restored, config)
  let current = config

  const heard = (changes: AlertChange[]) => {
    said.push(...changes)
    return changes
  }

  /** A source answers with these records; other kinds stay unchanged. */
  function tell(source: string, lists: Lists = {}, state: Partial<SourceState> = {}) {
    const records = Object.fromEntries(
      Object.entries(lists).map(([kind, list]) => [kind, keyed(kind as RecordKind, list as AnyRecord[])]),
    )
    const health = { name: source, kind: 'pve', health: 'healthy', lastSeen: moment().now, ...state } as const
    return heard(
      engine.apply(estate.observe(source, { ...records, sources: new Map([[source, health]]) }), moment()),
    )
  }

  /** Runs the timers that fall due. */
  function pass(ms: number) {
    const until = monotonic + ms
    const changes: AlertChange[] = []
    for (let next = engine.nextDue(); next !== undefined && next <= until; next = engine.nextDue()) {
      monotonic = Math.max(monotonic, next)
      changes.push(...heard(engine.due(moment())))
    }
    monotonic = until
    return changes
  }

  return {
    said,
    tell,
    pass,
    moment,
    estate,
    get engine() {
      return engine
    },
    /** The next poll of a source, ten seconds later. */
    poll(source: string, lists: Lists = {}, state: Partial<SourceState> = {}) {
      return [...pass(pollMs), ...tell(source, lists, state)]
    },
    /** The source stops answering. */
    silence: (source: string, lists: Lists = {}, state: Partial<SourceState> = {}) =>
      tell(source, lists, {
        health: 'error',
        error: 'no answer',
        lastSeen: moment().now,
        staleSince: moment().now,
        ...state,
      }),
    /** Nothing arrives from the site of these sources any more, or something does again. */
    markSite(sources: readonly string[], since: number | undefined) {
      const steps = estate.markSiteUnreachable(sources, since)
      return heard([...steps].flatMap((patch) => engine.apply(patch, moment())))
    },
    /** An answer as a collector gives it: its marks reach the records. */
    answer(source: string, lists: Lists = {}, state: Partial<SourceState> = {}) {
      const records = Object.fromEntries(
        Object.entries(lists).map(([kind, list]) => [kind, keyed(kind as RecordKind, list as AnyRecord[])]),
      )
      const own = { name: source, kind: 'pve', health: 'healthy', lastSeen: moment().now, ...state } as const
      return heard(engine.apply(estate.observe(source, records, { state: own }), moment()))
    },
    forget: (source: string) => heard(engine.apply(estate.forget(source), moment())),
    configure(change: Partial<AlertConfig>) {
      current = { ...current, ...change }
      engine.configure(current, moment())
      const changes: AlertChange[] = []
      while (engine.isBusy) changes.push(...engine.step())
      return heard(changes)
    },
    acknowledge: (id: string, user = 'ann') => heard(engine.acknowledge([id], user, moment())),
    sent: (...notices: SentNotice[]) => heard(engine.notified(notices, moment())),
    /** Sets the wall clock. */
    step: (ms: number) => void (wall += ms),
    /** Kills the process and starts it with the stored state. */
    restart(downMs = 0, kept: Restored = engine.snapshot(moment())) {
      monotonic += downMs
      engine = start(JSON.parse(JSON.stringify(kept)) as Restored, current)
      const all = Object.fromEntries(
        Object.entries(estate.tables).map(([kind, put]) => [kind, { put, remove: new Set() }]),
      )
      return { look: () => heard(engine.apply(all, moment())) }
    },
    open: () => [...engine.active().keys()].sort(),
    alert: (id: string) => engine.active().get(id),
    explain: (what: string) => engine.explain(what, moment()) ?? [],
    trace: (what: string, id: string) =>
      engine.explain(what, moment())?.find(({ alertId }) => alertId === id),
  }
}

const keyed = (kind: RecordKind, list: readonly AnyRecord[]) => {
  const key = kindOf(kind).key as (record: AnyRecord) => string
  return new Map(list.map((one) => [key(one), one]))
}

/** The changes as short texts. */
export const events = (changes: readonly AlertChange[]): string[] =>
  changes.filter(({ what }) => what !== 'refreshed').map(({ what, stored }) => `${what} ${stored.alert.id}`)
