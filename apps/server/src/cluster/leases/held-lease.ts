import type { Clock } from '@pulse/domain'
import { createDueTimer } from '../../timing/due-timer.ts'
import { createTicker } from '../../timing/ticker.ts'
import type { Bucket } from '../nats/bucket.ts'
import { isTaken } from '../nats/jetstream-errors.ts'

export interface LeaseTimes {
  renewMs: number
  /**
   * Its holder stops before it ends, by its own monotonic clock: the time since it sent the renewal that succeeded last.
   */
  trustedMs: number
  /** Another process may take it after this time without a renewal. Absent: only the servers end it. */
  stealMs?: number
}

/** Something that one process does at a time. */
export interface Lease {
  /** Sorts behind those of all holders before, as a text. A holder with a smaller one than another has lost the lease. */
  fence: string
  /** Whether it is certainly still this process's. */
  isHeld(): boolean
  /** Gives it back, so that another one takes it at once. */
  release(): Promise<void>
}

/** `isTaken`: another process has it. Otherwise it could not be renewed in time. */
export type OnLost = (isTaken: boolean) => void

interface HeldEdges {
  bucket: Bucket
  key: string
  /** the process that has it, as its entry says */
  holder: string
  fence: string
  /** of its entry */
  revision: number
  /** monotonic, no later than the entry was made */
  sentAt: number
  times: LeaseTimes
  clock: Pick<Clock, 'monotonic' | 'after'>
  /** This process does nothing with the entry any more. */
  onEnded: () => void
  onLost: OnLost
  onFault: (error: unknown) => void
}

/** Renews a lease that this process has claimed, until it is lost or released. */
export function holdLease(edges: HeldEdges): Lease {
  const { bucket, key, holder, fence, times, clock, onEnded, onLost, onFault } = edges
  const { kv } = bucket
  const { renewMs, trustedMs } = times
  let { revision, sentAt } = edges
  let isOver = false
  // A renewal that hangs must not keep the end of the trust from being seen.
  const ending = createDueTimer({
    clock,
    dueAt: () => (isOver ? undefined : sentAt + trustedMs),
    run: () => lose(false),
    onError: onFault,
  })
  let underWay: Promise<void> | undefined
  const renewing = createTicker({
    clock,
    intervalMs: renewMs,
    run: () => (underWay = renew()),
    onError: onFault,
  })
  ending.reschedule()

  function end() {
    isOver = true
    renewing.stop()
    ending.stop()
  }

  function lose(toAnother: boolean) {
    if (isOver) return
    end()
    onEnded()
    onLost(toAnother)
  }

  async function renew() {
    const at = clock.monotonic()
    try {
      revision = await update()
      sentAt = at
      ending.reschedule()
    } catch (error) {
      // Another one has it: its entry has ended. Any other failure may be the line; the next renewal decides.
      if (isTaken(error)) lose(true)
    }
  }

  async function update(): Promise<number> {
    const payload = new TextEncoder().encode(holder)
    try {
      return await kv.update(key, payload, revision)
    } catch (error) {
      const stored = isTaken(error) && !isOver ? await storedRevision() : undefined
      if (stored === undefined) throw error
      return kv.update(key, payload, stored)
    }
  }

  async function returnIt() {
    try {
      await kv.delete(key, { previousSeq: revision })
    } catch (error) {
      if (!isTaken(error)) throw error
      const stored = await storedRevision()
      if (stored !== undefined) await kv.delete(key, { previousSeq: stored })
    }
  }

  /** Of an earlier renewal that was stored although its answer never arrived; undefined: another process has the lease. */
  async function storedRevision(): Promise<number | undefined> {
    const entry = await kv.get(key)
    return entry?.operation === 'PUT' && entry.string() === holder ? entry.revision : undefined
  }

  return {
    fence,
    isHeld: () => !isOver && clock.monotonic() - sentAt < trustedMs,
    async release() {
      if (isOver) return
      end()
      await underWay
      await returnIt().finally(onEnded)
    },
  }
}
