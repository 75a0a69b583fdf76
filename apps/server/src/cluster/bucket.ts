import type { StorageType } from '@nats-io/jetstream'
import { type KV, Kvm } from '@nats-io/kv'
import type { Bus } from './bus.ts'

export interface BucketOptions {
  /** An entry that is not renewed ends after this time. */
  ttlMs: number
  storage: StorageType
  /** servers that keep a copy */
  replicas: number
}

/** The bucket, with at least so many copies as asked: servers may have been added since it was made. */
export async function openBucket(
  bus: Pick<Bus, 'jetstream' | 'manager'>,
  name: string,
  { ttlMs, storage, replicas }: BucketOptions,
): Promise<KV> {
  const bucket = await new Kvm(bus.jetstream).create(name, { ttl: ttlMs, history: 1, storage, replicas })
  const { streamInfo } = await bucket.status()
  const { name: stream, num_replicas: found } = streamInfo.config
  if (found < replicas) await bus.manager.streams.update(stream, { num_replicas: replicas })
  return bucket
}
