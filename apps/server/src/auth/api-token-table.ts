import type { Clock } from '@pulse/domain'
import type { ApiTokenStore } from '../db/api-tokens.ts'
import type { ApiTokenRow } from '../db/schema.ts'
import { createDueTimer } from '../timing/due-timer.ts'

/** All tokens, in memory and stored, with the time when each one expires. */
export interface ApiTokenTable {
  /** newest first */
  all(): ApiTokenRow[]
  byHash(hash: string): ApiTokenRow | undefined
  byId(id: string): ApiTokenRow | undefined
  isOver(row: ApiTokenRow): boolean
  change(remove: readonly ApiTokenRow[], insert: readonly ApiTokenRow[]): Promise<void>
  /** Stores the same tokens with other fields; no token ends. */
  replace(rows: readonly ApiTokenRow[]): Promise<void>
  /** Stores the host that alone may use the token from now on. */
  bind(row: ApiTokenRow, host: BoundColumns): Promise<void>
  reload(): Promise<void>
  stop(): void
}

export type BoundColumns = Pick<ApiTokenRow, 'bound_host' | 'bound_host_name'>

export interface ApiTokenTableEdges {
  store: ApiTokenStore
  clock: Clock
  /** a token was revoked or has just expired */
  onEnded: () => void
  onWrite: () => void
}

export function createApiTokenTable({ store, clock, onEnded, onWrite }: ApiTokenTableEdges): ApiTokenTable {
  /** by hash, newest first */
  let tokens = new Map<string, ApiTokenRow>()
  /** Expiry by id on the monotonic clock, so that setting the clock back does not extend a token. */
  const ends = new Map<string, number>()
  /** number of changes so far */
  let changes = 0
  /** tokens that will expire, as of the last check */
  let expiring: ApiTokenRow[] = []
  /** Signals the expiry of a token in time, because it may have open sockets. */
  const timer = createDueTimer({
    clock,
    dueAt() {
      expiring = all().filter((row) => row.expires_at !== null && leftMs(row) > 0)
      return expiring.length === 0 ? undefined : clock.monotonic() + Math.min(...expiring.map(leftMs))
    },
    run() {
      if (expiring.some((row) => leftMs(row) <= 0)) onEnded()
    },
    onError(error) {
      throw error
    },
  })

  function take(rows: readonly ApiTokenRow[]) {
    tokens = new Map(rows.map((row) => [row.token_hash, row]))
    const before = new Map(ends)
    ends.clear()
    for (const { id, expires_at } of tokens.values()) {
      if (expires_at === null) continue
      ends.set(id, before.get(id) ?? clock.monotonic() + expires_at - clock.now())
    }
    timer.reschedule()
  }

  /** The smaller of the time until the date and the time that was left at the last read. */
  const leftMs = ({ id, expires_at }: ApiTokenRow) =>
    expires_at === null ? Infinity : Math.min(expires_at - clock.now(), ends.get(id)! - clock.monotonic())

  const all = () => [...tokens.values()]

  return {
    all,
    byHash: (hash) => tokens.get(hash),
    byId: (id) => all().find((row) => row.id === id),
    isOver: (row) => leftMs(row) <= 0,
    async change(remove, insert) {
      await store.change({ remove: remove.map(({ id }) => id), insert })
      const gone = new Set(remove.map((row) => row.token_hash))
      take([...insert, ...all().filter((row) => !gone.has(row.token_hash))])
      changes++
      onWrite()
      if (remove.length > 0) onEnded()
    },
    async replace(rows) {
      await store.change({ remove: rows.map(({ id }) => id), insert: rows })
      const changed = new Map(rows.map((row) => [row.token_hash, row]))
      take(all().map((row) => changed.get(row.token_hash) ?? row))
      changes++
      onWrite()
    },
    async bind(row, host) {
      const before = { bound_host: row.bound_host, bound_host_name: row.bound_host_name }
      // Assigned immediately, so that no other host binds the token meanwhile.
      Object.assign(row, host)
      changes++
      try {
        await store.bound(row.id, host)
      } catch (error) {
        Object.assign(row, before)
        throw error
      } finally {
        changes++
      }
    },
    async reload() {
      // what changes meanwhile is newer than what was read
      for (;;) {
        const before = changes
        const rows = await store.all()
        if (changes === before) return take(rows)
      }
    },
    stop: timer.stop,
  }
}
