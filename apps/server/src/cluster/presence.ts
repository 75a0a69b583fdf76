import { StorageType } from '@nats-io/jetstream'
import { latestMs, mainSite, ProcessRole } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import * as z from 'zod/mini'
import { StartupError } from '../startup-error.ts'
import { pause } from '../timing/pause.ts'
import { createTicker } from '../timing/ticker.ts'
import { type Bucket, type BucketEntry, existingBucket, openBucket } from './nats/bucket.ts'
import type { Bus } from './nats/bus.ts'
import { presenceBucket, presenceBucketOf, siteOfPresence, token } from './nats/subjects.ts'

/** A process that says nothing for this time has ended. */
const presentMs = 10_000
const sayMs = 3_000
/** A running process has said something again by then. */
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
  /** how often that has changed since its start; absent: an older version */
  moves?: number | undefined
  /** messages about the estate that it has not taken yet */
  waiting: number
  /** It has no database, and only reaches NATS. */
  isRemote?: boolean
  /** Whether the database answers it; absent: it may not lead, or does not say so. */
  hasDatabase?: boolean | undefined
  /** since the database has answered it last, when it said this; absent: an older version, or it has none */
  databaseAgeMs?: number | undefined
}

/** A card, and when its process has said it, by the clock of the NATS servers. */
export interface PresentProcess extends ProcessCard {
  lastWordAt: number
}

export interface Presence {
  /**
   * All of this installation that run, this one included; without the right to see other sites, those of its own. Rejects
   * if those of any site could not be read.
   */
  list(): Promise<PresentProcess[]>
  /** the same without other sites that could not be read */
  readable(): Promise<PresentProcess[]>
  /** the same of its own site only */
  ofSite(): Promise<PresentProcess[]>
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
  /** A process without the right to make buckets, or to see other sites, takes the one of its own site. */
  mayMake?: boolean
  onFault: (error: unknown) => void
}

/** A card is less than 1 kB. Collectors of a site cannot make the others read many of them. */
const mostBytes = 64 * 1024

export const makePresenceBucket = (
  bus: Pick<Bus, 'jetstream' | 'manager'>,
  name: string,
  replicas: number,
): Promise<Bucket> =>
  openBucket(bus, name, {
    ttlMs: presentMs,
    storage: StorageType.Memory,
    replicas,
    ...(name !== presenceBucket && { mostBytes }),
  })

/** Throws StartupError beside another installation. The list of processes, in a key-value bucket whose entries end by their age. */
export async function openPresence({
  bus,
  own,
  clock,
  replicas = 1,
  mayMake = true,
  onFault,
}: PresenceEdges): Promise<Presence> {
  const { id, site, installation } = own()
  const ownName = presenceBucketOf(site)
  const open = () => (mayMake ? makePresenceBucket(bus, ownName, replicas) : existingBucket(bus, ownName))
  let bucket = await open()
  const others = mayMake ? otherSites(bus, clock, ownName) : () => Promise.resolve([])

  const ofSite = async () => cardsIn(site, await bucket.all())

  async function listAll(mustBeWhole: boolean): Promise<PresentProcess[]> {
    const found = await Promise.all([ofSite(), others(mustBeWhole)])
    return found.flat().toSorted((a, b) => (a.id < b.id ? -1 : 1))
  }

  // what collectors of other sites write must not keep a process from starting
  const isForeign = (card: ProcessCard) =>
    card.site === mainSite &&
    card.installation !== undefined &&
    installation !== undefined &&
    card.installation !== installation

  /** Those of an installation that has ended are listed for a while, but say nothing more. */
  async function refuseOthers() {
    const before = new Map((await listAll(false)).filter(isForeign).map((card) => [card.id, card.lastWordAt]))
    if (before.size === 0) return
    await pause(clock, foreignMs, new AbortController().signal)
    const other = (await listAll(false)).find(
      (card) => isForeign(card) && card.lastWordAt !== before.get(card.id),
    )
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
    list: async () => (await listAll(true)).filter((card) => !isForeign(card)),
    readable: async () => (await listAll(false)).filter((card) => !isForeign(card)),
    ofSite: async () => (await ofSite()).filter((card) => !isForeign(card)),
    renew: saying.now,
    async leave() {
      saying.stop()
      await bucket.kv.delete(key)
    },
  }
}

/** Sites are found again after this time. */
const findMs = 3_000
/** After this time there may be one that is not known yet. */
const foundMs = 2 * findMs
const streamPrefix = 'KV_'

/** The cards of all sites with a bucket, apart from one. `mustBeWhole`: rejects if those of a site could not be read. */
function otherSites(
  bus: Pick<Bus, 'jetstream' | 'manager'>,
  clock: Pick<Clock, 'monotonic'>,
  ownName: string,
): (mustBeWhole: boolean) => Promise<PresentProcess[]> {
  const buckets = new Map<string, Bucket>()
  let foundAt: number | undefined
  let finding: Promise<void> | undefined

  async function find() {
    const meant = new Set<string>()
    for await (const stream of bus.manager.streams.names()) {
      const name = stream.startsWith(streamPrefix) ? stream.slice(streamPrefix.length) : ''
      if (name !== ownName && siteOfPresence(name) !== undefined) meant.add(name)
    }
    for (const name of buckets.keys()) if (!meant.has(name)) buckets.delete(name)
    for (const name of meant) if (!buckets.has(name)) buckets.set(name, await existingBucket(bus, name))
    foundAt = clock.monotonic()
  }

  return async (mustBeWhole) => {
    const isOld = (ms: number) => foundAt === undefined || clock.monotonic() - foundAt >= ms
    if (isOld(findMs))
      finding ??= find()
        // while the servers elect one that lists streams, the sites of before are the best list; the next look finds others
        .catch(() => undefined)
        .finally(() => (finding = undefined))
    // servers that are slow to list all streams must not delay what is known of the sites
    if (isOld(mustBeWhole ? foundMs : Infinity)) await finding
    if (mustBeWhole && isOld(foundMs)) throw new Error('NATS does not say which sites there are')
    const found = await Promise.all(
      [...buckets].map(async ([name, bucket]) => {
        const entries = await bucket.all().catch((error: unknown) => {
          if (mustBeWhole) throw error
          // the servers may have lost it
          return new Map<string, BucketEntry>()
        })
        return cardsIn(siteOfPresence(name)!, entries)
      }),
    )
    return found.flat()
  }
}

/** The valid cards in the bucket of a site. */
const cardsIn = (site: string, entries: ReadonlyMap<string, BucketEntry>): PresentProcess[] =>
  [...entries].flatMap(([entry, { text, saidAt }]) => {
    const card = cardIn(text)
    return card?.site === site && entry === `${token(site)}.${card.id}`
      ? [{ ...card, lastWordAt: saidAt }]
      : []
  })

const count = z.int().check(z.gte(0))

/** Another version may have other roles. */
export const Card = z.object({
  id: z.string().check(z.maxLength(100)),
  host: z.string().check(z.maxLength(255)),
  version: z.string().check(z.maxLength(100)),
  site: z.string().check(z.maxLength(100)),
  roles: z.array(z.string().check(z.maxLength(40))).check(z.maxLength(20)),
  startedAt: z.int().check(z.gte(0), z.lte(latestMs)),
  leads: z.boolean(),
  sources: count,
  moves: z.optional(count),
  waiting: count,
  isRemote: z.optional(z.boolean()),
  hasDatabase: z.optional(z.boolean()),
  databaseAgeMs: z.optional(count),
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
  const { roles, isRemote, ...card } = known.data
  return {
    ...card,
    ...(isRemote && { isRemote }),
    roles: ProcessRole.options.filter((role) => roles.includes(role)),
  }
}
