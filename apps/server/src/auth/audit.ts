import { ActorMethod, AuditEvent, auditPageLimit, type AuditRecord } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { AuditStore } from '../db/audit.ts'
import { createThrottle } from '../timing/throttle.ts'
import { createTicker } from '../timing/ticker.ts'
import { createWriteBehind } from '../timing/write-behind.ts'
import type { AuditRow } from '../db/schema.ts'
import { type AuditFacts, type Counted, createAuditCounts } from './audit-counts.ts'
import { type Caller, clientKey } from './caller.ts'
import type { Principal } from './principal.ts'

const DAY_MS = 24 * 3_600_000
const KEEP_MS = 365 * DAY_MS
/** Rows of one event and outcome. `slack` more are allowed before the surplus is deleted. */
const defaultBounds = { mostOfKind: 5_000, slack: 250 }
/** Delay before counts are stored; the record itself is stored immediately. */
const COUNT_INTERVAL_MS = 5_000
/** Counts of one transaction, and those that wait while the disk refuses: what is new cannot be stored then either. */
const countBounds = { batch: 500, bound: 10_000 }
const MAX_TEXT = 300

type CountRow = Parameters<AuditStore['count']>[0][number]

export interface AuditEntry {
  event: AuditEvent
  /** true when absent */
  success?: boolean
  /** the authenticated actor; for a failed sign-in, the attempted name */
  by: Pick<Principal, 'name' | 'method'> & { id?: string }
  /** absent for the console */
  caller?: Pick<Caller, 'client' | 'requestId'>
  target?: string | undefined
  details?: string | undefined
}

export interface Audit {
  record(entry: AuditEntry): Promise<void>
  page(query: {
    limit?: number | undefined
    before?: string | undefined
    event?: AuditEvent | undefined
  }): Promise<{ events: AuditRecord[]; next?: string }>
  /** Stores the pending counts. */
  flush(): Promise<void>
  stop(): Promise<void>
}

/**
 * Actor and address come only from the gate, so a request cannot claim another name. `lines` gets every
 * record, whatever the log level.
 */
export function createAudit(
  store: AuditStore,
  clock: Clock,
  log: Logger,
  lines: Logger = log,
  { mostOfKind, slack } = defaultBounds,
): Audit {
  const counts = createAuditCounts(clock)
  const appended = new Map<string, number>()
  let lastId = ''
  /** The clock may be behind the records of an earlier run. */
  const newestId = store.page({ limit: 1 }).then(
    ([row]) => row?.id ?? '',
    (err: unknown) => {
      log.error({ err }, 'cannot read the audit log')
      return ''
    },
  )

  const pruning = createTicker({
    clock,
    intervalMs: DAY_MS,
    run: removeOld,
    onError: (err) => log.error({ err }, 'cannot delete old audit records'),
  })
  pruning.now()

  async function removeOld() {
    await store.removeBefore(clock.now() - KEEP_MS)
    for (const kind of await store.kinds()) await store.trim(kind, mostOfKind)
  }

  /** Ids sort by time, and by sequence within a millisecond or while the clock is behind. */
  function nextId(now: number): string {
    const stamp = now.toString(36).padStart(9, '0')
    const last = lastId.slice(0, 9)
    const sequence = stamp > last ? 0 : Number.parseInt(lastId.slice(9, 13), 36) + 1
    const at = stamp > last ? stamp : last
    lastId = `${at}${sequence.toString(36).padStart(4, '0')}${randomBytes(4).toString('hex')}`
    return lastId
  }

  function write({ caller: _, success, ...facts }: AuditFacts, rest: { times?: number } = {}) {
    lines.info({ audit: { ...facts, success: success === 1, ...rest } }, `audit: ${facts.event}`)
  }

  async function append(record: Counted, at: number) {
    const earlier = await newestId
    if (earlier > lastId) lastId = earlier
    const id = nextId(at)
    try {
      await store.append({ id, at, times: 1, last_at: null, ...record.facts })
      record.id = id
      if (record.times > 1) count(record)
      const { event, success } = record.facts
      const key = `${event} ${success}`
      const sinceTrim = (appended.get(key) ?? 0) + 1
      appended.set(key, sinceTrim % slack)
      if (sinceTrim === slack) await store.trim({ event, success }, mostOfKind)
    } catch (err) {
      record.isLost = true
      log.error({ err, event: record.facts.event }, 'cannot store the audit record')
    }
  }

  const counted = createWriteBehind<CountRow>({
    clock,
    write: store.count,
    ...countBounds,
    onRefused: (err) => log.error({ err }, 'cannot store the counts of audit records'),
    onRecovered: (dropped) => log.info({ dropped }, 'counts of audit records can be stored again'),
  })
  const counting = createThrottle({
    clock,
    delayMs: COUNT_INTERVAL_MS,
    run: counted.flush,
    onError: (err) => log.error({ err }, 'cannot store the counts of audit records'),
  })

  /** Once the record itself is stored. */
  function count(record: Counted) {
    const { id, facts } = record
    if (id === undefined) return
    counted.put(() => {
      const { times, lastAt: last_at } = record
      write(facts, { times })
      return [{ id, times, last_at }]
    }, record)
    counting.call()
  }

  return {
    async record({ event, success = true, by, caller, target, details }) {
      const facts: AuditFacts = {
        event,
        success: success ? 1 : 0,
        actor: safeText(by.name),
        actor_id: by.id ?? null,
        method: by.method,
        address: caller ? caller.client : null,
        request_id: caller?.requestId ?? null,
        target: target === undefined ? null : safeText(target),
        details: details === undefined ? null : safeText(details),
        caller: by.id ?? (caller ? clientKey(caller.client) : safeText(by.name)),
      }
      const at = clock.now()
      const { record, isNew } = counts.take(facts, at)
      if (isNew) {
        write(facts)
        return append(record, at)
      }
      count(record)
    },
    async page({ limit = 50, before, event }) {
      await counted.flush()
      const size = Math.min(limit, auditPageLimit)
      const rows = await store.page({
        limit: size + 1,
        ...(before === undefined ? {} : { before }),
        ...(event === undefined ? {} : { event }),
      })
      const events = rows.slice(0, size).map(toRecord)
      return { events, ...(rows.length > size ? { next: rows[size - 1]!.id } : {}) }
    },
    flush: counted.flush,
    async stop() {
      pruning.stop()
      counting.cancel()
      counted.stop()
      await counted.flush()
    },
  }
}

/**
 * Escapes control characters, line separators and direction marks, so that a name cannot forge a second line.
 */
export const safeText = (text: string): string =>
  text
    .slice(0, MAX_TEXT)
    .replaceAll(
      /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
      (c) => `\\u${c.codePointAt(0)!.toString(16).padStart(4, '0')}`,
    )

const toRecord = (row: AuditRow): AuditRecord => ({
  id: row.id,
  time: new Date(row.at).toISOString(),
  event: AuditEvent.parse(row.event),
  success: row.success === 1,
  actor: row.actor,
  method: ActorMethod.parse(row.method),
  ...(row.address === null ? {} : { address: row.address }),
  ...(row.request_id === null ? {} : { requestId: row.request_id }),
  ...(row.target === null ? {} : { target: row.target }),
  ...(row.details === null ? {} : { details: row.details }),
  ...(row.times === 1 ? {} : { count: row.times, lastTime: new Date(row.last_at ?? row.at).toISOString() }),
})
