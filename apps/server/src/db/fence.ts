import type pg from 'pg'
import { ServerError } from '../database-error.ts'

/** The fence of a lease is `epoch.revision`, both padded, so that they sort as texts. */
const form = /^\d{15}\.\d{16}$/
export const isFence = (text: string): boolean => form.test(text)

/** The fence of this process, or the newer one of another process. */
export type Begun = { fence: string } | { newer: string }

/** Whether this process may write as the one that leads, as the database says. */
export interface Fence {
  /**
   * Makes this process the one that leads, if its lease is newer than those before, or if `over` is still the fence of the
   * one before. Ends the right of all others.
   */
  take(client: pg.ClientBase, lease: string, over?: string): Promise<Begun>
  /** Begins a transaction, and locks the fence until its end. Throws if another process leads now. */
  begin(client: pg.ClientBase): Promise<void>
  /** Rejects in a transaction of a database that takes no writes, such as a standby. */
  confirm(client: pg.ClientBase): Promise<void>
  readonly isTaken: boolean
  /** monotonic: when the database has confirmed it last */
  readonly confirmedAt: number
}

interface FenceEdges {
  monotonic: () => number
  /** Another process leads now. */
  onRefused: () => void
}

export function createFence({ monotonic, onRefused }: FenceEdges): Fence {
  let own: string | undefined
  let confirmedAt = -Infinity
  return {
    get isTaken() {
      return own !== undefined
    },
    get confirmedAt() {
      return confirmedAt
    },
    async take(client, lease, over) {
      await client.query('BEGIN')
      await client.query("INSERT INTO leadership (id, fence) VALUES (1, '') ON CONFLICT (id) DO NOTHING")
      const { rows } = await client.query<{ fence: string }>('SELECT fence FROM leadership FOR UPDATE')
      const stored = rows[0]!.fence
      // another process has led since this one did: what this one remembers is old
      const wasReplaced = own !== undefined && stored !== own
      const next = wasReplaced ? undefined : nextFence(stored, lease, over)
      if (next === undefined) {
        await client.query('ROLLBACK')
        return { newer: stored }
      }
      await client.query('UPDATE leadership SET fence = $1', [next])
      const askedAt = monotonic()
      await client.query('COMMIT')
      own = next
      confirmedAt = askedAt
      return { fence: next }
    },
    async begin(client) {
      if (own === undefined) {
        await client.query('BEGIN')
        return
      }
      const askedAt = monotonic()
      const answers = (await client.query(
        `BEGIN; SELECT 1 FROM leadership WHERE fence = '${own}' FOR SHARE`,
      )) as unknown as pg.QueryResult[]
      if (answers[1]!.rows.length === 0) {
        onRefused()
        throw new ServerError('another process leads now', 'fenced')
      }
      confirmedAt = askedAt
    },
    async confirm(client) {
      // with a fence, `begin` has locked it
      if (own === undefined) await client.query('SELECT 1 FROM leadership FOR SHARE')
    },
  }
}

/**
 * The fence for a lease; undefined if another process has a newer one. The revisions begin again when the NATS servers have
 * lost their data. Their new epoch is the time of that, which their clocks may put before the old one.
 */
export function fenceAfter(stored: string, lease: string): string | undefined {
  if (!isFence(lease)) throw new TypeError('a lease has no fence')
  if (lease > stored) return lease
  return lease.split('.')[0] === stored.split('.')[0] ? undefined : fenceOver(stored, lease)
}

function nextFence(stored: string, lease: string, over: string | undefined): string | undefined {
  if (over === undefined) return fenceAfter(stored, lease)
  return stored === over ? fenceOver(stored, lease) : undefined
}

/** With the next epoch. */
function fenceOver(stored: string, lease: string): string {
  if (lease > stored) return lease
  const [[, revision], [epoch]] = [lease.split('.'), stored.split('.')]
  return `${String(Number(epoch) + 1).padStart(15, '0')}.${revision}`
}
