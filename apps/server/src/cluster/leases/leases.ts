import { StorageType } from '@nats-io/jetstream'
import type { Clock } from '@pulse/domain'
import { pause } from '../../timing/pause.ts'
import { type Bucket, existingBucket, openBucket } from '../nats/bucket.ts'
import type { Bus } from '../nats/bus.ts'
import { holdLease, type Lease, type LeaseTimes, type OnLost } from './held-lease.ts'
import { isGone, unlessTaken } from '../nats/jetstream-errors.ts'
import { leaseBucket, leaseBucketOf, textIn, token } from '../nats/subjects.ts'

/** A lease that is not renewed ends after this time, by the clock of the NATS servers. */
export const leaseMs = 9_000

/** A server that has begun to lead the bucket a moment ago may not have applied the last entries. */
const lookAgainMs = 1_000
/** Between two times of replacing a bucket whose servers have lost count of it. */
const replacesMs = 30_000

/** Three renewals may fail. */
const usualTimes: LeaseTimes = { renewMs: 2_000, trustedMs: 7_000 }

/** The lead, or a source of a site. The site comes first, for rights of a site. */
export type LeaseName = 'leader' | { site: string; source: string }

export interface Leases {
  /** Undefined while another process holds it. */
  claim(name: LeaseName, onLost: OnLost, times?: LeaseTimes): Promise<Lease | undefined>
  /** which process holds which source of the site, apart from those that this one holds */
  holders(site: string, held?: ReadonlySet<string>): Promise<Map<string, string>>
}

export interface LeaseEdges {
  bus: Pick<Bus, 'jetstream' | 'manager' | 'returns'>
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
  /** `returns`: of the line when they were opened */
  const buckets = new Map<string, { bucket: Promise<Bucket>; returns: number }>()

  function open(name: string): Promise<Bucket> {
    const bucket = mayMake ? makeLeaseBucket(bus, name, replicas) : existingBucket(bus, name)
    const opened = { bucket, returns: bus.returns }
    buckets.set(name, opened)
    bucket.catch(() => buckets.get(name) === opened && buckets.delete(name))
    return bucket
  }

  /** Since the line was away, the servers may have another bucket of that name, whose revisions begin again. */
  function current(name: string): Promise<Bucket> {
    const known = buckets.get(name)
    return known?.returns === bus.returns ? known.bucket : open(name)
  }

  /** Servers that have lost the bucket get a new one. What has begun in one that was replaced begins again. */
  async function inBucket<T>(name: string, work: (bucket: Bucket) => Promise<T>): Promise<T> {
    try {
      return await work(await current(name))
    } catch (error) {
      if (!isGone(error) && !(error instanceof Replaced)) throw error
      return work(await open(name))
    }
  }

  // the first use is late for an error of the start
  await open(leaseBucketOf(site))

  const payload = new TextEncoder().encode(holder)
  /** leases of others: the renewal that was seen last, and when it was seen first */
  const seen = new Map<string, { revision: number; at: number }>()
  /** what this process claims, holds or returns */
  const own = new Set<string>()

  /**
   * Its entry, which was made no earlier than `sentAt`; undefined while another process holds it. It is read first: nats-server
   * 2.9 counts writes that it refuses, and after another server of its cluster has begun to lead, it can store nothing for as many
   * writes as it has refused.
   */
  async function enter(
    { kv }: Bucket,
    key: string,
    stealMs: number | undefined,
  ): Promise<{ revision: number; sentAt: number } | undefined> {
    const entry = await kv.get(key)
    // its own is one that it could not renew for a while
    const isOfOther = entry?.operation === 'PUT' && entry.string() !== holder
    if (isOfOther && !isOverdue(key, entry.revision, stealMs)) return undefined
    const sentAt = clock.monotonic()
    const writing = entry ? kv.update(key, payload, entry.revision) : kv.create(key, payload)
    const revision = await writing.catch(unlessTaken)
    return revision === undefined ? undefined : { revision, sentAt }
  }

  function isOverdue(key: string, revision: number, stealMs: number | undefined): boolean {
    if (stealMs === undefined) return false
    const now = clock.monotonic()
    const known = seen.get(key)
    if (known?.revision === revision) return now - known.at >= stealMs
    seen.set(key, { revision, at: now })
    return false
  }

  /** The holder of its entry, as all processes see it now; undefined: none. */
  async function holderOf({ kv }: Bucket, key: string): Promise<string | undefined> {
    const found = async () => {
      const entry = await kv.get(key)
      return entry?.operation === 'PUT' ? entry.string() : undefined
    }
    const holds = await found()
    if (holds !== undefined) return holds
    await pause(clock, lookAgainMs, new AbortController().signal)
    return found()
  }

  /** monotonic */
  let replaceFrom = -Infinity

  /**
   * A nats-server 2.9.10 that was cut off from the others of its cluster can forget which entries it has: it acknowledges them, and finds
   * none. So no lease in the bucket can be renewed, and everyone would get each of them. 2.10.27 has not shown it. A new bucket
   * has later fences.
   */
  async function replace(name: string) {
    if (!mayMake || clock.monotonic() < replaceFrom) return
    replaceFrom = clock.monotonic() + replacesMs
    await bus.manager.streams.delete(`KV_${name}`)
    await open(name)
  }

  async function claim(name: LeaseName, onLost: OnLost, times = usualTimes): Promise<Lease | undefined> {
    const key = keyOf(name)
    if (own.has(key)) return undefined
    own.add(key)
    try {
      const lease = await hold(name, key, onLost, times)
      if (!lease) own.delete(key)
      return lease
    } catch (error) {
      own.delete(key)
      throw error
    }
  }

  async function hold(
    name: LeaseName,
    key: string,
    onLost: OnLost,
    times: LeaseTimes,
  ): Promise<Lease | undefined> {
    const place = bucketFor(name)
    const claimed = await inBucket(place, async (bucket) => {
      const entered = await enter(bucket, key, times.stealMs)
      if (!entered) return undefined
      const holds = await holderOf(bucket, key)
      // the entry may be in the bucket before
      if ((await bucket.createdNow()) !== bucket.createdAt) throw new Replaced()
      if (holds === undefined) {
        // It may have ended: this process was stopped, or had no line, since it wrote it.
        if (clock.monotonic() - entered.sentAt >= times.trustedMs) return undefined
        await replace(place)
        throw new Error('NATS does not find the entry of a lease that it has just acknowledged')
      }
      return holds === holder ? { ...entered, bucket } : undefined
    })
    if (claimed === undefined) return undefined
    // Revisions begin again if the servers have lost the bucket.
    const { bucket, revision, sentAt } = claimed
    const fence = `${bucket.createdAt.toString().padStart(15, '0')}.${revision.toString().padStart(16, '0')}`
    return holdLease({
      bucket,
      key,
      holder,
      fence,
      revision,
      sentAt,
      times,
      clock,
      onFault,
      onEnded: () => void own.delete(key),
      onLost,
    })
  }

  return {
    claim,
    async holders(site, held) {
      const prefix = `${token(site)}.`
      const sourceOf = (key: string) => textIn(key.slice(prefix.length))
      const entries = await inBucket(leaseBucketOf(site), (bucket) =>
        bucket.all(`${prefix}*`, (key) => held?.has(sourceOf(key)) !== true),
      )
      return new Map([...entries].map(([key, { text }]) => [sourceOf(key), text]))
    },
  }
}

/** The servers have another bucket of that name than the one that was opened. */
class Replaced extends Error {
  constructor() {
    super('another process has made the bucket of the leases again')
  }
}

const bucketFor = (name: LeaseName) => (name === 'leader' ? leaseBucket : leaseBucketOf(name.site))
const keyOf = (name: LeaseName) => (name === 'leader' ? name : `${token(name.site)}.${token(name.source)}`)
