import { ActorMethod, AuditEvent, auditPageLimit, type AuditRecord } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { AuditStore } from '../db/audit.ts'
import type { AuditRow } from '../db/schema.ts'
import type { Caller } from './caller.ts'
import type { Principal } from './principal.ts'

const DAY_MS = 24 * 3_600_000
const KEEP_MS = 365 * DAY_MS
const MAX_TEXT = 300

export interface AuditEntry {
  event: AuditEvent
  /** true when absent */
  success?: boolean
  /** who did it, as authenticated; for a failed sign-in the name that was tried */
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
  stop(): void
}

/** Actor and address come from the gate alone: nothing a request says about itself can put a name here. */
export function createAudit(store: AuditStore, clock: Clock, log: Logger): Audit {
  let lastId = ''
  let cancel = () => {}
  /** The clock may stand behind what an earlier run has recorded. */
  const newestId = store.page({ limit: 1 }).then(
    ([row]) => row?.id ?? '',
    (err: unknown) => {
      log.error({ err }, 'the audit log could not be read')
      return ''
    },
  )

  function prune() {
    store
      .removeBefore(clock.now() - KEEP_MS)
      .catch((err: unknown) => log.error({ err }, 'old audit records could not be removed'))
    cancel = clock.after(DAY_MS, prune)
  }
  prune()

  /** Sorts by time, and by order within a millisecond or while the clock stands behind. */
  function nextId(now: number): string {
    const stamp = now.toString(36).padStart(9, '0')
    const last = lastId.slice(0, 9)
    const sequence = stamp > last ? 0 : Number.parseInt(lastId.slice(9, 13), 36) + 1
    const at = stamp > last ? stamp : last
    lastId = `${at}${sequence.toString(36).padStart(4, '0')}${randomBytes(4).toString('hex')}`
    return lastId
  }

  return {
    async record({ event, success = true, by, caller, target, details }) {
      const facts: Omit<AuditRow, 'id' | 'at' | 'success'> = {
        event,
        actor: safeText(by.name),
        actor_id: by.id ?? null,
        method: by.method,
        address: caller ? caller.client : null,
        request_id: caller?.requestId ?? null,
        target: target === undefined ? null : safeText(target),
        details: details === undefined ? null : safeText(details),
      }
      log.info({ audit: { ...facts, success } }, `audit: ${event}`)
      const at = clock.now()
      const earlier = await newestId
      if (earlier > lastId) lastId = earlier
      try {
        await store.append({ id: nextId(at), at, success: success ? 1 : 0, ...facts })
      } catch (err) {
        log.error({ err, event }, 'the audit record could not be stored')
      }
    },
    async page({ limit = 50, before, event }) {
      const size = Math.min(limit, auditPageLimit)
      const rows = await store.page({
        limit: size + 1,
        ...(before === undefined ? {} : { before }),
        ...(event === undefined ? {} : { event }),
      })
      const events = rows.slice(0, size).map(toRecord)
      return { events, ...(rows.length > size ? { next: rows[size - 1]!.id } : {}) }
    },
    stop: () => cancel(),
  }
}

/** Control characters, line separators and direction marks shown as escapes: a name cannot forge a second line. */
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
})
