import { StorageType } from '@nats-io/jetstream'
import type { Clock } from '@pulse/domain'
import { createTicker } from '../timing/ticker.ts'
import { openBucket } from './bucket.ts'
import type { Bus } from './bus.ts'
import { presenceBucket } from './subjects.ts'

/** A process that says nothing for this time has ended. */
const presentMs = 10_000
const sayMs = 3_000

export const roles = ['collect', 'judge', 'serve'] as const
export type Role = (typeof roles)[number]

/** A process of the cluster, as the others know it. */
export interface ProcessCard {
  /** random, of this start */
  id: string
  /** of its machine, for people */
  host: string
  version: string
  roles: readonly Role[]
  /** ms since 1970 */
  startedAt: number
}

export interface Presence {
  /** all that run, this one included */
  list(): Promise<ProcessCard[]>
  /** The others know at once that it has ended. */
  leave(): Promise<void>
}

export interface PresenceEdges {
  bus: Pick<Bus, 'jetstream' | 'manager'>
  own: ProcessCard
  clock: Pick<Clock, 'after' | 'monotonic'>
  replicas?: number
  onFault: (error: unknown) => void
}

/** The list of processes, in a key-value bucket whose entries end by their age. */
export async function openPresence({
  bus,
  own,
  clock,
  replicas = 1,
  onFault,
}: PresenceEdges): Promise<Presence> {
  const open = () =>
    openBucket(bus, presenceBucket, { ttlMs: presentMs, storage: StorageType.Memory, replicas })
  let bucket = await open()
  const say = () => bucket.kv.put(own.id, JSON.stringify(own))
  await say()
  const saying = createTicker({
    clock,
    intervalMs: sayMs,
    async run() {
      try {
        await say()
      } catch {
        // the servers may have lost the bucket, which is in their memory
        bucket = await open()
        await say()
      }
    },
    onError: onFault,
  })
  return {
    async list() {
      const cards = [...(await bucket.all()).values()].map(cardIn)
      return cards.filter((card) => card !== undefined).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    },
    async leave() {
      saying.stop()
      await bucket.kv.delete(own.id)
    },
  }
}

/** Undefined for what is none, such as that of a version with other roles. */
function cardIn(text: string): ProcessCard | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const { id, host, version, roles: own, startedAt } = (value ?? {}) as Record<string, unknown>
  if (typeof id !== 'string' || typeof host !== 'string' || typeof version !== 'string') return undefined
  if (!Array.isArray(own) || typeof startedAt !== 'number') return undefined
  return { id, host, version, startedAt, roles: roles.filter((role) => own.includes(role)) }
}
