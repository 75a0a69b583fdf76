import { StorageType } from '@nats-io/jetstream'
import type { Clock } from '@pulse/domain'
import { createDueTimer } from '../timing/due-timer.ts'
import { createTicker } from '../timing/ticker.ts'
import { type Bucket, existingBucket, openBucket } from './bucket.ts'
import type { Bus } from './bus.ts'
import { leaseBucket, leaseBucketOf, textIn, token } from './subjects.ts'

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
  /** Sorts behind those of all holders before, as a text. A holder with a smaller one than another has lost the lease. */
  fence: string
  /** Whether it is certainly still this process's. */
  isHeld(): boolean
  /** Gives it back, so that another one takes it at once. */
  release(): Promise<void>
}

/** The lead, or a source of a site. The site comes first, for rights of a site. */
export type LeaseName = 'leader' | { site: string; source: string }

/** `isTaken`: another process has it. Otherwise it could not be renewed in time. */
export type OnLost = (isTaken: boolean) => void

export interface Leases {
  /** Undefined while another process holds it. */
  claim(name: LeaseName, onLost: OnLost, times?: LeaseTimes): Promise<Lease | undefined>
  /** who holds which source of the site */
  holders(site: string): Promise<Map<string, string>>
}

export interface LeaseEdges {
  bus: Pick<Bus, 'jetstream' | 'manager'>
  /** the process that claims */
  holder: string
  clock: Pick<Clock, 'monotonic' | 'after'>
  onFault: (error: unknown) => void
  /** whose sources this process claims */
  site: string
  /** servers that keep a copy */
  replicas?: number
  /** A process without the right to make buckets takes those that others have made. */
  mayMake?: boolean
}

/** A lease is some 200 bytes. Collectors of a site cannot fill the servers. */
const mostBytes = 1024 * 1024

export const makeLeaseBucket = (
  bus: Pick<Bus, 'jetstream' | 'manager'>,
  name: string,
  replicas: number,
): Promise<Bucket> =>
  openBucket(bus, name, {
    ttlMs: leaseMs,
    storage: StorageType.File,
    replicas,
    ...(name !== leaseBucket && { mostBytes }),
  })

/**
 * Leases in a key-value bucket whose entries end by their age. The servers create an entry only if there is none, and
 * change it only if it has not changed since, so that one process holds a lease, whatever is late.
 */
export async function openLeases(edges: LeaseEdges): Promise<Leases> {
  const { bus, holder, clock, onFault, site, replicas = 1, mayMake = true } = edges
  const buckets = new Map<string, Bucket>()
  /** the newest revision that this process has made in each */
  const newest = new Map<string, number>()

  async function open(name: string): Promise<Bucket> {
    const bucket = mayMake ? await makeLeaseBucket(bus, name, replicas) : await existingBucket(bus, name)
    buckets.set(name, bucket)
    return bucket
  }

  /** Servers that have lost the bucket get a new one. */
  async function inBucket<T>(name: string, work: (bucket: Bucket) => Promise<T>): Promise<T> {
    try {
      return await work(buckets.get(name) ?? (await open(name)))
    } catch (error) {
      if (!isGone(error)) throw error
      return work(await open(name))
    }
  }

  // the first use is late for an error of the start
  await open(leaseBucketOf(site))

  const payload = new TextEncoder().encode(holder)
  /** leases of others: the renewal that was seen last, and when it was seen first */
  const seen = new Map<string, { revision: number; at: number }>()

  /** The revision of its entry; undefined while another process holds it. */
  async function enter(
    { kv }: Bucket,
    key: string,
    stealMs: number | undefined,
  ): Promise<number | undefined> {
    try {
      return await kv.create(key, payload)
    } catch (error) {
      if (!isTaken(error)) throw error
    }
    if (stealMs === undefined) return undefined
    const entry = await kv.get(key)
    // it has ended a moment ago
    if (entry?.operation !== 'PUT') return kv.create(key, payload).catch(unlessTaken)
    const { revision } = entry
    const known = seen.get(key)
    if (known?.revision !== revision) seen.set(key, { revision, at: clock.monotonic() })
    // its own, which it could not renew for a while
    const isOwn = entry.string() === holder
    if (isOwn || (known?.revision === revision && clock.monotonic() - known.at >= stealMs)) {
      try {
        return await kv.update(key, payload, revision)
      } catch (error) {
        unlessTaken(error)
      }
    }
    return undefined
  }

  async function claim(name: LeaseName, onLost: OnLost, times = usualTimes): Promise<Lease | undefined> {
    const { renewMs, trustedMs, stealMs } = times
    const key = keyOf(name)
    // no later than the entry was made
    let sentAt = clock.monotonic()
    const place = bucketFor(name)
    const claimed = await inBucket(place, async (bucket) => {
      sentAt = clock.monotonic()
      const revision = await enter(bucket, key, stealMs)
      if (revision === undefined) return undefined
      // the servers have another bucket of that name now
      const isAnother = revision <= (newest.get(place) ?? 0)
      newest.set(place, revision)
      return { revision, bucket: isAnother ? await open(place) : bucket }
    })
    if (claimed === undefined) return undefined
    const { kv, createdAt } = claimed.bucket
    let { revision } = claimed
    // Revisions begin again if the servers have lost the bucket.
    const fence = `${createdAt.toString().padStart(15, '0')}.${revision.toString().padStart(16, '0')}`
    let isOver = false
    const isHeld = () => !isOver && clock.monotonic() - sentAt < trustedMs
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

    function lose(isTaken: boolean) {
      if (isOver) return
      end()
      onLost(isTaken)
    }

    async function renew() {
      const at = clock.monotonic()
      try {
        revision = await kv.update(key, payload, revision)
        newest.set(place, revision)
        sentAt = at
        ending.reschedule()
      } catch (error) {
        // Another one has it: its entry has ended. Any other failure may be the line; the next renewal decides.
        if (isTaken(error)) lose(true)
      }
    }

    return {
      fence,
      isHeld,
      async release() {
        if (isOver) return
        end()
        await underWay
        await kv.delete(key, { previousSeq: revision })
      },
    }
  }

  return {
    claim,
    async holders(site) {
      const prefix = `${token(site)}.`
      return new Map(
        [...(await inBucket(leaseBucketOf(site), (bucket) => bucket.all(`${prefix}*`)))].map(
          ([key, { text }]) => [textIn(key.slice(prefix.length)), text],
        ),
      )
    },
  }
}

const bucketFor = (name: LeaseName) => (name === 'leader' ? leaseBucket : leaseBucketOf(name.site))
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
