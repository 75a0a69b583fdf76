import type { Trouble } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'

/** How long something that happened counts as wrong, and how long what is over is still told. */
const RECENT_MS = 15 * 60_000
const REMEMBERED_MS = 60 * 60_000
/** The same again is counted, and logged once in this time. */
const LOG_EVERY_MS = 60_000

/** What is wrong with Pulse itself: told to administrators, and to everybody as one word. */
export interface Troubles {
  /** It lasts until it ends. `details`: for the log alone, where administrators read them. */
  begin(id: string, message: string, details?: string): void
  end(id: string, message: string): void
  /** It is over already, but it should not have been. */
  happened(id: string, message: string, error: unknown): void
  isDegraded(): boolean
  /** the newest first */
  list(): Trouble[]
  /** Called after every change. */
  onChange(listener: () => void): void
  stop(): void
}

interface Entry {
  message: string
  since: string
  count: number
  /** it goes on · it happened lately · it is over */
  phase: 'lasts' | 'recent' | 'over'
  /** monotonic */
  loggedAt: number
  cancel: () => void
}

export function createTroubles(clock: Clock, log: Logger): Troubles {
  const entries = new Map<string, Entry>()
  const listeners: (() => void)[] = []
  let isStopped = false
  const tell = () => listeners.forEach((listener) => listener())

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
    if (isStopped) phase = 'lasts' // nobody waits for its end any more
    if (phase === 'recent') entry.cancel = clock.after(RECENT_MS, () => put(id, message, 'over'))
    if (phase === 'over') entry.cancel = clock.after(REMEMBERED_MS, () => forget(id))
    tell()
    return entry
  }

  function forget(id: string) {
    entries.delete(id)
    tell()
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
      if (clock.monotonic() - entry.loggedAt < LOG_EVERY_MS) return
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

/** Message and place, without the fields that a library hangs on an error: they may quote what it was given. */
function textOf(error: unknown) {
  if (!(error instanceof Error)) return { type: typeof error, message: 'it was no error' }
  return { type: error.name, message: error.message, stack: error.stack }
}
