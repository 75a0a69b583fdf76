import { StorageType } from '@nats-io/jetstream'
import type { Clock } from '@pulse/domain'
import { createDueTimer } from '../timing/due-timer.ts'
import { createTicker } from '../timing/ticker.ts'
import { openBucket } from './bucket.ts'
import type { Bus } from './bus.ts'
import { leaseBucket, textIn, token } from './subjects.ts'

/** A lease that is not renewed ends after this time, by the clock of the NATS servers. */
export const leaseMs = 9_000

interface LeaseTimes {
  renewMs: number
  /**
   * Its holder stops before it ends, by its own monotonic clock: the time since it sent the renewal that succeeded last.
   */
  trustedMs: number
  /** Another process may take it after this time without a renewal. Absent: only the servers end it. */
  stealMs?: number
}

/** Three renewals may fail. */
const usualTimes: LeaseTimes = { renewMs: 2_000, trustedMs: 7_000 }

/** Something that one process does at a time. */
export interface Lease {
  /** Sorts behind those of all holders before, as a text. Who has a smaller one than another has lost the lease. */
  fence: string
  /** Whether it is certainly still this process's. */
  isHeld(): boolean
  /** Gives it back, so that another one takes it at once. */
  release(): Promise<void>
}

/** The lead, or a source of a site. The site comes first, for rights of a site. */
export type LeaseName = 'leader' | { site: string; source: string }

export interface Leases {
  /** Undefined while another process holds it. */
  claim(name: LeaseName, onLost: () => void, times?: LeaseTimes): Promise<Lease | undefined>
  /** who holds which source of the site */
  holders(site: string): Promise<Map<string, string>>
}

export interface LeaseEdges {
  bus: Pick<Bus, 'jetstream' | 'manager'>
  /** the process that claims */
  holder: string
  clock: Pick<Clock, 'monotonic' | 'after'>
  onFault: (error: unknown) => void
  /** servers that keep a copy */
  replicas?: number
}

/**
 * Leases in a key-value bucket whose entries end by their age. The servers create an entry only if there is none, and
 * change it only if it has not changed since, so that one process holds a lease, whatever is late.
 */
export async function openLeases({ bus, holder, clock, onFault, replicas = 1 }: LeaseEdges): Promise<Leases> {
  const open = () => openBucket(bus, leaseBucket, { ttlMs: leaseMs, storage: StorageType.File, replicas })
  let bucket = await open()
  // Revisions begin again if the servers have lost the bucket.
  const epochNow = () => bucket.createdAt.toString().padStart(15, '0')

  /** Servers that have lost the bucket get a new one. */
  async function inBucket<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!isGone(error)) throw error
      bucket = await open()
      return work()
    }
  }

  const payload = new TextEncoder().encode(holder)
  /** leases of others: the renewal that was seen last, and when it was seen first */
  const seen = new Map<string, { revision: number; at: number }>()

  /** The revision of its entry; undefined while another process holds it. */
  async function enter(key: string, stealMs: number | undefined): Promise<number | undefined> {
    try {
      return await bucket.kv.create(key, payload)
    } catch (error) {
      if (!isTaken(error)) throw error
    }
    if (stealMs === undefined) return undefined
    const entry = await bucket.kv.get(key)
    // it has ended a moment ago
    if (entry?.operation !== 'PUT') return bucket.kv.create(key, payload).catch(unlessTaken)
    const { revision } = entry
    const known = seen.get(key)
    if (known?.revision !== revision) seen.set(key, { revision, at: clock.monotonic() })
    // its own, which it could not renew for a while
    const isOwn = entry.string() === holder
    if (isOwn || (known?.revision === revision && clock.monotonic() - known.at >= stealMs)) {
      try {
        return await bucket.kv.update(key, payload, revision)
      } catch (error) {
        unlessTaken(error)
      }
    }
    return undefined
  }

  async function claim(name: LeaseName, onLost: () => void, times = usualTimes): Promise<Lease | undefined> {
    const { renewMs, trustedMs, stealMs } = times
    const key = keyOf(name)
    // no later than the entry was made
    let sentAt = clock.monotonic()
    const entered = await inBucket(() => enter(key, stealMs))
    const epoch = epochNow()
    if (entered === undefined) return undefined
    let revision = entered
    const fence = `${epoch}.${revision.toString().padStart(16, '0')}`
    let isOver = false
    const isHeld = () => !isOver && clock.monotonic() - sentAt < trustedMs
    // A renewal that hangs must not keep the end of the trust from being seen.
    const ending = createDueTimer({
      clock,
      dueAt: () => (isOver ? undefined : sentAt + trustedMs),
      run: lose,
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

    function lose() {
      if (isOver) return
      end()
      onLost()
    }

    async function renew() {
      const at = clock.monotonic()
      try {
        revision = await bucket.kv.update(key, payload, revision)
        sentAt = at
        ending.reschedule()
      } catch (error) {
        // Another one has it: its entry has ended. Any other failure may be the line; the next renewal decides.
        if (isTaken(error)) lose()
      }
    }

    return {
      fence,
      isHeld,
      async release() {
        if (isOver) return
        end()
        await underWay
        await bucket.kv.delete(key, { previousSeq: revision })
      },
    }
  }

  return {
    claim,
    async holders(site) {
      const prefix = `${token(site)}.`
      return new Map(
        [...(await inBucket(() => bucket.all(`${prefix}*`)))].map(([key, { text }]) => [
          textIn(key.slice(prefix.length)),
          text,
        ]),
      )
    },
  }
}

const keyOf = (name: LeaseName) => (name === 'leader' ? name : `${token(name.site)}.${token(name.source)}`)

/** JetStream's error for a sequence that is not the last one of the subject (nats-server 2.9, errors.json). */
const wrongLastSequence = 10_071

function unlessTaken(error: unknown): undefined {
  if (!isTaken(error)) throw error
}

/** JetStream's error for a stream that does not exist (nats-server 2.9, errors.json). */
const streamNotFound = 10_059

function isGone(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: string }
  return code === streamNotFound || (message ?? '').includes('stream not found')
}

function isTaken(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: string }
  return code === wrongLastSequence || /wrong last sequence/.test(message ?? '')
}
