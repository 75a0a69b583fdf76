import { StorageType } from '@nats-io/jetstream'
import { ProcessRole } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import * as z from 'zod/mini'
import { StartupError } from '../startup-error.ts'
import { pause } from '../timing/pause.ts'
import { createTicker } from '../timing/ticker.ts'
import { openBucket } from './bucket.ts'
import type { Bus } from './bus.ts'
import { presenceBucket, token } from './subjects.ts'

/** A process that says nothing for this time has ended. */
const presentMs = 10_000
const sayMs = 3_000
/** Who runs has said something again by then. */
const foreignMs = 2 * sayMs

/** A process of the cluster, as the others know it. */
export interface ProcessCard {
  /** random, of this start */
  id: string
  /** absent: an older version, which is of the same one */
  installation?: string | undefined
  /** of its machine, for people */
  host: string
  version: string
  site: string
  roles: readonly ProcessRole[]
  /** ms since 1970 */
  startedAt: number
  leads: boolean
  /** sources that it collects */
  sources: number
  /** messages about the estate that it has not taken yet */
  waiting: number
  /** Whether the database answers it; absent: it may not lead, or does not say so. */
  hasDatabase?: boolean | undefined
}

/** A card, and when its process has said it, by the clock of the NATS servers. */
export interface PresentProcess extends ProcessCard {
  lastWordAt: number
}

export interface Presence {
  /** all of this installation that run, this one included */
  list(): Promise<PresentProcess[]>
  /** Its card has changed: the others know at once. */
  renew(): void
  /** The others know at once that it has ended. */
  leave(): Promise<void>
}

export interface PresenceEdges {
  bus: Pick<Bus, 'jetstream' | 'manager'>
  /** as it is now */
  own: () => ProcessCard
  clock: Pick<Clock, 'after' | 'monotonic'>
  replicas?: number
  onFault: (error: unknown) => void
}

/** Throws StartupError beside another installation. The list of processes, in a key-value bucket whose entries end by their age. */
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
  const { id, site, installation } = own()

  async function listAll(): Promise<PresentProcess[]> {
    const found: PresentProcess[] = []
    for (const [entry, { text, saidAt }] of await bucket.all()) {
      const card = cardIn(text)
      if (card && entry === `${token(card.site)}.${card.id}`) found.push({ ...card, lastWordAt: saidAt })
    }
    return found.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  }

  const isForeign = (card: ProcessCard) =>
    card.installation !== undefined && installation !== undefined && card.installation !== installation

  /** Those of an installation that has ended are listed for a while, but say nothing more. */
  async function refuseOthers() {
    const before = new Map((await listAll()).filter(isForeign).map((card) => [card.id, card.lastWordAt]))
    if (before.size === 0) return
    await pause(clock, foreignMs, new AbortController().signal)
    const other = (await listAll()).find((card) => isForeign(card) && card.lastWordAt !== before.get(card.id))
    if (!other) return
    throw new StartupError(
      `Processes of another Pulse with a database of its own use this NATS, such as one on ${other.host}.`,
      'Give each Pulse an account or servers of its own: they would mix their figures. Processes of one Pulse need the same PULSE_DATABASE_URL.',
    )
  }

  // the site comes first, for rights of a site
  const key = `${token(site)}.${id}`
  const say = () => bucket.kv.put(key, JSON.stringify(own()))
  await say()
  await refuseOthers().catch(async (error: unknown) => {
    await bucket.kv.delete(key)
    throw error
  })
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
    list: async () => (await listAll()).filter((card) => !isForeign(card)),
    renew: saying.now,
    async leave() {
      saying.stop()
      await bucket.kv.delete(key)
    },
  }
}

/** Another version may have other roles. */
const Card = z.object({
  id: z.string().check(z.maxLength(100)),
  host: z.string().check(z.maxLength(255)),
  version: z.string().check(z.maxLength(100)),
  site: z.string().check(z.maxLength(100)),
  roles: z.array(z.string()),
  startedAt: z.number(),
  leads: z.boolean(),
  sources: z.number(),
  waiting: z.number(),
  hasDatabase: z.optional(z.boolean()),
  installation: z.optional(z.string().check(z.maxLength(100))),
})

/** Undefined for what is none. */
function cardIn(text: string): ProcessCard | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const known = Card.safeParse(value)
  if (!known.success) return undefined
  const { roles, ...card } = known.data
  return { ...card, roles: ProcessRole.options.filter((role) => roles.includes(role)) }
}
