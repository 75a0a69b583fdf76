import type { Notice, Trouble } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import type { State } from '../state/state.ts'

/** How long an event counts as a current problem, and how long an ended problem is listed. */
const RECENT_MS = 15 * 60_000
const REMEMBERED_MS = 60 * 60_000
/** A repeated problem is counted, and logged once in this interval. */
const LOG_INTERVAL_MS = 60_000

/**
 * Problems of Pulse itself. Administrators see the list; other callers see only whether there is a problem.
 */
export interface Troubles {
  /** Begins a problem that lasts until `end`. `details` go only to the log. */
  begin(id: string, message: string, details?: string): void
  end(id: string, message: string): void
  /** Reports a single event. */
  happened(id: string, message: string, error: unknown): void
  isDegraded(): boolean
  /** newest first */
  list(): Trouble[]
  /** Called after every change. */
  onChange(listener: () => void): void
  stop(): void
}

interface Entry {
  message: string
  since: string
  count: number
  /** persists · happened recently · has ended */
  phase: 'lasts' | 'recent' | 'over'
  /** monotonic */
  loggedAt: number
  cancel: () => void
}

export function createTroubles(clock: Clock, log: Logger): Troubles {
  const entries = new Map<string, Entry>()
  const listeners: (() => void)[] = []
  let isStopped = false
  const notify = () => listeners.forEach((listener) => listener())

  function put(id: string, message: string, phase: Entry['phase']): Entry {
    const before = entries.get(id)
    before?.cancel()
    const isNew = phase !== 'over'
    const entry: Entry = {
      message,
      since: before && !isNew ? before.since : new Date(clock.now()).toISOString(),
      count: (before?.count ?? 0) + (isNew ? 1 : 0),
      phase,
      loggedAt: before?.loggedAt ?? -Infinity,
      cancel: () => {},
    }
    entries.delete(id)
    entries.set(id, entry)
    if (isStopped) phase = 'lasts' // no timers after the stop
    if (phase === 'recent') entry.cancel = clock.after(RECENT_MS, () => put(id, message, 'over'))
    if (phase === 'over') entry.cancel = clock.after(REMEMBERED_MS, () => forget(id))
    notify()
    return entry
  }

  function forget(id: string) {
    entries.delete(id)
    notify()
  }

  return {
    begin(id, message, details) {
      put(id, message, 'lasts')
      log.error({ trouble: id, ...(details !== undefined && { details }) }, message)
    },
    end(id, message) {
      if (entries.get(id)?.phase !== 'lasts') return
      put(id, message, 'over')
      log.warn({ trouble: id }, message)
    },
    happened(id, message, error) {
      const entry = put(id, message, 'recent')
      if (clock.monotonic() - entry.loggedAt < LOG_INTERVAL_MS) return
      entry.loggedAt = clock.monotonic()
      log.error({ trouble: id, count: entry.count, problem: textOf(error) }, message)
    },
    isDegraded: () => [...entries.values()].some(({ phase }) => phase !== 'over'),
    list: () =>
      [...entries].toReversed().map(([id, { message, since, count, phase }]) => ({
        id,
        message,
        since,
        count,
        current: phase !== 'over',
      })),
    onChange: (listener) => void listeners.push(listener),
    stop() {
      isStopped = true
      for (const { cancel } of entries.values()) cancel()
    },
  }
}

/** Message and stack. Fields that libraries add to an error are left out, because they may quote input. */
function textOf(error: unknown) {
  if (!(error instanceof Error)) return { type: typeof error, message: 'it was no error' }
  return { type: error.name, message: error.message, stack: error.stack }
}

const PREFIX = 'trouble-'

/** Shows problems of Pulse itself above the page, together with the notices of the start. */
export function showTroubles(troubles: Troubles, state: State): void {
  const show = () => {
    const others = state.meta.notices.filter(({ id }) => !id.startsWith(PREFIX))
    const own = troubles.list().map(({ id, message, count }): Notice => {
      const often = count > 1 ? ` (${count} times since the start)` : ''
      return { id: PREFIX + id, level: 'warning', message: message + often }
    })
    state.setMeta({ notices: [...others, ...own] })
  }
  troubles.onChange(show)
  show()
}
