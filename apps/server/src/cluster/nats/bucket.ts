import type { StorageType, StreamInfo } from '@nats-io/jetstream'
import { type KV, Kvm } from '@nats-io/kv'
import pLimit from 'p-limit'
import type { Bus } from './bus.ts'

const getsAtOnce = 32
/** A bucket has an entry per source of a site or per process. What is above it is made up. */
const mostEntries = 10_000

export interface BucketOptions {
  /** An entry that is not renewed ends after this time. */
  ttlMs: number
  storage: StorageType
  /** servers that keep a copy */
  replicas: number
  /** Above it, nothing more is stored; absent: no limit. */
  mostBytes?: number
}

/** A key-value bucket whose entries end by their age. */
export interface Bucket {
  kv: KV
  /** ms since 1970, by the servers: when it was made */
  createdAt: number
  /** the same of the one that has its name now */
  createdNow(): Promise<number>
  /** the entries whose keys match, such as `a.*`; each one that is wanted is a request */
  all(keys?: string, isWanted?: (key: string) => boolean): Promise<Map<string, BucketEntry>>
}

export interface BucketEntry {
  text: string
  /** ms since 1970, by the servers */
  saidAt: number
}

/** The bucket, with at least so many copies as asked: servers may have been added since it was made. */
export async function openBucket(
  bus: Pick<Bus, 'jetstream' | 'manager'>,
  name: string,
  { ttlMs, storage, replicas, mostBytes }: BucketOptions,
): Promise<Bucket> {
  const kv = await new Kvm(bus.jetstream).create(name, {
    ttl: ttlMs,
    history: 1,
    storage,
    replicas,
    // any server with a copy would answer directly, so that one that hangs leaves every third question unanswered
    allow_direct: false,
    ...(mostBytes !== undefined && { max_bytes: mostBytes }),
  })
  const { streamInfo } = await kv.status()
  const { name: stream, num_replicas: found } = streamInfo.config
  if (found < replicas) await bus.manager.streams.update(stream, { num_replicas: replicas })
  return bucketOf(bus, name, kv, streamInfo)
}

/** One that another process has made. Rejects if there is none. */
export async function existingBucket(bus: Pick<Bus, 'jetstream' | 'manager'>, name: string): Promise<Bucket> {
  const kv = await new Kvm(bus.jetstream).open(name, { allow_direct: false })
  const { streamInfo } = await kv.status()
  return bucketOf(bus, name, kv, streamInfo)
}

function bucketOf({ manager }: Pick<Bus, 'manager'>, name: string, kv: KV, made: StreamInfo): Bucket {
  const stream = made.config.name
  const prefix = `$KV.${name}.`

  /** A watch or a list of the client makes a consumer each time, which all servers have to agree on. */
  async function keys(matching: string): Promise<string[]> {
    const { state } = await manager.streams.info(stream, { subjects_filter: `${prefix}${matching}` })
    return Object.keys(state.subjects ?? {}).map((subject) => subject.slice(prefix.length))
  }

  return {
    kv,
    createdAt: Date.parse(made.created),
    createdNow: async () => Date.parse((await manager.streams.info(stream)).created),
    async all(matching = '>', isWanted = () => true) {
      const limit = pLimit(getsAtOnce)
      const found = (await keys(matching)).slice(0, mostEntries).filter(isWanted)
      const entries = await Promise.all(found.map((key) => limit(() => kv.get(key))))
      return new Map(
        entries
          .filter((entry) => entry?.operation === 'PUT')
          .map((entry) => [entry!.key, { text: entry!.string(), saidAt: entry!.created.getTime() }]),
      )
    },
  }
}
