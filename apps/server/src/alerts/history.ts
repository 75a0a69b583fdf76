import {
  activeAlertsPage,
  type Alert,
  type AlertHistoryEntry,
  type getAlertHistory,
  historyLimits,
  overrideKey,
  type OverrideKind,
  overrideKinds,
  type QueryOf,
} from '@pulse/contract'
import type { Clock, Tables } from '@pulse/domain'
import type { Logger } from 'pino'
import { AppError } from '../app-error.ts'
import type { AlertStore, HistoryFilter } from '../db/alerts.ts'
import type { AlertHistoryRow } from '../db/schema.ts'
import { createTicker, type Ticker } from '../timing/ticker.ts'
import { toHistoryEntry } from './rows.ts'

const DAY_MS = 86_400_000
/** Far more than 10,000 guests produce in 30 days. */
export const maxHistoryRows = 200_000
/** Containers with random names can cause thousands per minute. */
const trimIntervalMs = 15 * 60_000
/** Rows per chunk. */
export const chunkRows = 500

type Query = QueryOf<typeof getAlertHistory>

export interface AlertHistory {
  /** Yields chunks, newest first. */
  find(query: Query | undefined): Promise<AsyncIterable<AlertHistoryEntry[]>>
  /** Uses only the filter of the page. */
  count(query?: Query): Promise<number>
  clear(): Promise<void>
  start(): void
  stop(): void
}

export interface AlertHistoryEdges {
  store: AlertStore
  tables: Tables
  active: () => ReadonlyMap<string, Alert>
  clock: Clock
  log: Logger
}

export function createAlertHistory({ store, tables, active, clock, log }: AlertHistoryEdges): AlertHistory {
  let trimming: Ticker | undefined

  function toEntries(rows: readonly AlertHistoryRow[]): AlertHistoryEntry[] {
    return rows.flatMap((row) => {
      const entry = toHistoryEntry(row, row.ended_at === null ? active().get(row.alert_id) : undefined)
      if (!entry) log.error({ episode: row.episode }, 'cannot read an entry of the alert history')
      return entry ?? []
    })
  }

  const trim = () => store.trimHistory(clock.now() - historyLimits.retentionDays * DAY_MS, maxHistoryRows)

  return {
    async find(query = {}) {
      const { limit, offset } = pageOf(query)
      const filter = filterOf(query, tables)
      const read = (left: number, more: { offset?: number; after?: AlertHistoryRow }) =>
        store.history(filter, { limit: Math.min(left, chunkRows), ...more })
      // The first chunk is read before the first byte is sent, so that an error gets its own status.
      const first = await read(limit, { offset })
      return (async function* () {
        let left = limit
        for (let rows = first; rows.length > 0;) {
          yield toEntries(rows)
          left -= rows.length
          if (left <= 0) return
          rows = await read(left, { after: rows.at(-1)! })
        }
      })()
    },
    count: async (query = {}) => store.countHistory(filterOf(query, tables)),
    clear: () => store.clearHistory(),
    start() {
      trimming = createTicker({
        clock,
        intervalMs: trimIntervalMs,
        run: trim,
        onError: (err) => log.error({ err }, 'cannot delete old alerts from the history'),
      })
      trimming.now()
    },
    stop: () => trimming?.stop(),
  }
}

/** A value that is not a number counts as absent. */
function pageOf({ limit, offset }: Query & object): { limit: number; offset: number } {
  const wanted = numberOf('limit', limit) ?? historyLimits.usual
  return {
    limit: wanted === 0 ? Infinity : Math.min(wanted, historyLimits.most),
    offset: numberOf('offset', offset) ?? 0,
  }
}

function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined || !/^-?\d{1,15}$/.test(text)) return undefined
  const value = Number(text)
  if (value < 0) throw refusal(name, 'It must not be negative.')
  return value
}

function filterOf(
  { startTime, endTime, severity, resourceId }: Query & object,
  tables: Tables,
): HistoryFilter {
  const [from, to] = [momentOf('startTime', startTime), momentOf('endTime', endTime)]
  if (from !== undefined && to !== undefined && to < from) throw refusal('endTime', 'It is before startTime.')
  const isLevel = severity === 'warning' || severity === 'critical'
  return {
    from,
    to,
    level: isLevel ? severity : undefined,
    resource: resourceId === undefined ? undefined : { ids: [resourceId], keys: keysOf(resourceId, tables) },
  }
}

function momentOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  const moment = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : NaN
  if (Number.isNaN(moment)) throw refusal(name, 'Use a time such as 2026-01-31T12:00:00Z.')
  return moment
}

/** A guest has another id after a migration. */
function keysOf(resourceId: string, tables: Tables): string[] {
  const keys = [resourceId]
  for (const kind of Object.keys(overrideKinds) as OverrideKind[]) {
    for (const [key, record] of tables[kind])
      if ('id' in record && record.id === resourceId) keys.push(overrideKey(kind, key))
  }
  return keys
}

/** The alerts of a page, in the given order. */
export function pageOfActive<T>(all: Iterable<T>, query: Pick<Query & object, 'limit' | 'offset'>): T[] {
  const limit = numberOf('limit', query.limit) || Infinity
  const offset = numberOf('offset', query.offset) ?? 0
  const most = limit === Infinity ? limit : Math.min(limit, activeAlertsPage)
  return [...all].slice(offset, offset + most)
}

const refusal = (field: string, problem: string) =>
  new AppError('validation_failed', `${field}: ${problem}`, { details: { [field]: problem } })
