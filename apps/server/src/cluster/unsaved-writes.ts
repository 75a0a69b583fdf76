import {
  DiscardPolicy,
  RetentionPolicy,
  type StoredMsg,
  StorageType,
  type StreamState,
} from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import type { Clock } from '@pulse/domain'
import type { CompiledQuery } from 'kysely'
import type { Logger } from 'pino'
import { DatabaseError, isRefusal } from '../database-error.ts'
import type { Database } from '../db/database.ts'
import type { Statement } from '../db/messages.ts'
import type { Leading } from '../db/postgres.ts'
import type { Vault } from '../seal.ts'
import { createMutex } from '../timing/concurrency.ts'
import { createTicker } from '../timing/ticker.ts'
import type { Bus } from './bus.ts'
import { packed, PartJoiner, toParts, unpacked } from './parts.ts'
import { unsavedStream, unsavedWrites } from './subjects.ts'

/** Hours of many alerts. Above one of them, the process that leads keeps what is new in its memory only. */
const mostBytes = 256 * 1024 * 1024
const mostCharacters = 64 * 1024 * 1024
/** They are written again at this pace, until the database takes them. */
const retryMs = 2_000
/** The row of `meta` that says which of them are written. */
const markKey = 'unsaved'

const header = { fence: 'Pulse-Fence', part: 'Pulse-Part', parts: 'Pulse-Parts' } as const

export interface UnsavedWritesEdges {
  bus: Pick<Bus, 'jetstream' | 'manager'>
  db: Database
  leading: Pick<Leading, 'write'>
  vault: Pick<Vault, 'sealBytes' | 'openBytes'>
  clock: Pick<Clock, 'after' | 'monotonic'>
  log: Pick<Logger, 'warn' | 'error'>
  replicas: number
  /** Whether this process certainly leads. */
  mayAct: () => boolean
  onFault: (error: unknown) => void
}

export interface UnsavedWrites {
  /** The database for what the process that leads may not lose. A transaction that is kept elsewhere has succeeded. */
  db: Database
  /** The database knows that this process leads. Resolves when it has what those before could not write. */
  lead(): Promise<void>
  stop(): void
}

interface Kept {
  statements: readonly Statement[]
  characters: number
  /** in the stream */
  seq: number
}

/**
 * While the database is away, a stream of NATS keeps what the process that leads writes about alerts and messages, so that the
 * next one knows which were sent if this one ends before the database is back. The database gets them in their order, each
 * transaction once. They are sealed: no other client of NATS can read or add any.
 */
export async function keepUnsavedWrites(edges: UnsavedWritesEdges): Promise<UnsavedWrites> {
  const { bus, db, leading, vault, clock, log, replicas, mayAct, onFault } = edges
  const { streams } = bus.manager
  const inOrder = createMutex()
  /** of this process, as the database has it */
  let own: string | undefined
  /** of the stream: when it was made, and the newest message of this process */
  let [created, newest] = ['', 0]
  const kept: Kept[] = []
  let isRemovalDue = false
  /** The stream may have a message whose arrival was not confirmed, and that is not in `kept`. */
  let isUncertain = false

  await demandStream(bus, replicas)

  async function keep(queries: readonly CompiledQuery[], refusal: unknown): Promise<void> {
    if (own === undefined || !isRefusal(refusal) || !mayAct()) throw refusal
    const statements = queries.map(({ sql, parameters }) => ({ sql, parameters }))
    const text = JSON.stringify(statements)
    if (kept.reduce((sum, { characters }) => sum + characters, text.length) > mostCharacters) throw refusal
    try {
      const seq = await publish(text, own)
      // the servers have lost the stream, and number its messages from 1 again
      if (seq <= newest) created = (await streams.info(unsavedStream)).created
      newest = seq
      kept.push({ statements, characters: text.length, seq })
    } catch (error) {
      isUncertain = true
      onFault(error)
      throw refusal
    }
    if (kept.length === 1)
      log.warn('the database is away: NATS keeps records of alerts and messages until it is back')
  }

  async function publish(text: string, fence: string): Promise<number> {
    let seq = 0
    const parts = toParts(vault.sealBytes(packed(text), placeOf(fence)))
    for (const [n, part] of parts.entries()) {
      const head = headers()
      head.set(header.fence, fence)
      head.set(header.part, String(n + 1))
      head.set(header.parts, String(parts.length))
      seq = (await bus.jetstream.publish(unsavedWrites, part, { headers: head })).seq
    }
    return seq
  }

  /** Rejects while the database does not take them. */
  async function writeKept() {
    for (let next = kept[0]; next; next = kept[0]) {
      const { statements, seq } = next
      await store(statements, { created, seq, fence: own! })
      kept.shift()
      isRemovalDue = true
    }
    if (isUncertain) await passOver()
  }

  /** Nothing in the stream is newer than what the database gets from now on. */
  async function passOver() {
    const found = await streams.info(unsavedStream).catch(() => undefined)
    // without NATS, the next look does it
    if (!found) return
    await leading.write([marking(db, { created: found.created, seq: found.state.last_seq, fence: own! })])
    created = found.created
    newest = found.state.last_seq
    isUncertain = false
    isRemovalDue = true
  }

  async function store(statements: readonly Statement[], mark: Mark) {
    try {
      await leading.write([...statements, marking(db, mark)])
    } catch (error) {
      if (isRefusal(error) || isFenced(error)) throw error
      log.error({ err: error }, 'a record of alerts or messages that NATS kept cannot be stored, and is lost')
    }
  }

  /** What the database has. Its mark says so too, so this need not succeed at once. */
  async function remove(upTo: number) {
    isRemovalDue = false
    try {
      await streams.purge(unsavedStream, { seq: upTo + 1 })
    } catch {
      isRemovalDue = true
    }
  }

  const retrying = createTicker({
    clock,
    intervalMs: retryMs,
    run: () =>
      inOrder(async () => {
        await writeKept().catch(unlessRefused)
        if (isRemovalDue && kept.length === 0) await remove(newest)
      }),
    onError: onFault,
  })

  /** What those that led before could not write, as far as they led when they sent it. */
  async function writeFormer(mark: Mark, { first_seq, last_seq }: StreamState) {
    const joiners = new Map<string, PartJoiner>()
    for (let seq = Math.max(first_seq, mark.seq + 1); seq <= last_seq; seq++) {
      const message = await streams.getMessage(unsavedStream, { seq })
      if (!message) continue
      const sender = message.header.get(header.fence)
      const joiner = joiners.get(sender) ?? new PartJoiner()
      joiners.set(sender, joiner)
      const whole = joiner.take(partOf(message))
      const statements = whole && statementsIn(whole, sender)
      if (statements && sender >= mark.fence) await store(statements, { ...mark, seq })
    }
  }

  function statementsIn(whole: Uint8Array, sender: string): Statement[] | undefined {
    try {
      return JSON.parse(unpacked(vault.openBytes(whole, placeOf(sender))).toString()) as Statement[]
    } catch (err) {
      log.error({ err }, 'what NATS kept for the database is no record of this Pulse')
      return undefined
    }
  }

  return {
    db: {
      ...db,
      transaction: (queries) =>
        inOrder(async () => {
          try {
            await writeKept()
            await db.transaction(queries)
          } catch (error) {
            await keep(queries, error)
          }
        }),
    },
    lead: () =>
      inOrder(async () => {
        await demandStream(bus, replicas)
        const found = await streams.info(unsavedStream)
        await writeFormer(await markOf(db, found.created), found.state)
        own = await fenceOf(db)
        created = found.created
        newest = found.state.last_seq
        // also over what those before send late
        isUncertain = true
        await passOver()
      }),
    stop: retrying.stop,
  }
}

async function demandStream({ manager }: Pick<Bus, 'manager'>, replicas: number): Promise<void> {
  const config = { subjects: [unsavedWrites], max_bytes: mostBytes, num_replicas: replicas }
  try {
    await manager.streams.add({
      name: unsavedStream,
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.New,
      ...config,
    })
  } catch {
    // another process, or another version of Pulse, has made it
    await manager.streams.update(unsavedStream, config)
  }
}

const placeOf = (fence: string) => `unsaved writes of ${fence}`
const isFenced = (error: unknown) => error instanceof DatabaseError && error.fault === 'fenced'

function unlessRefused(error: unknown) {
  if (!isRefusal(error)) throw error
}

const partOf = ({ header: own, data }: StoredMsg) => ({
  number: Number(own.get(header.part) || Number.NaN),
  of: Number(own.get(header.parts) || Number.NaN),
  bytes: data,
})

/** Up to which message of the stream the database has them. */
interface Mark {
  /** of the stream, which the servers may have lost and made again */
  created: string
  seq: number
  /** of the process that led last: what those before it sent later than that does not count */
  fence: string
}

async function markOf({ query }: Database, created: string): Promise<Mark> {
  const row = await query.selectFrom('meta').select('value').where('key', '=', markKey).executeTakeFirst()
  const [of, seq, fence = ''] = row?.value.split(' ') ?? []
  return { created, seq: of === created ? Number(seq) : 0, fence }
}

function marking({ query }: Database, { created, seq, fence }: Mark): CompiledQuery {
  const value = `${created} ${seq} ${fence}`
  return query
    .insertInto('meta')
    .values({ key: markKey, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .compile()
}

const fenceOf = async ({ query }: Database): Promise<string> =>
  (await query.selectFrom('leadership').select('fence').executeTakeFirstOrThrow()).fence
