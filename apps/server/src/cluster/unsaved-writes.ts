import { DiscardPolicy, RetentionPolicy, StorageType, type StreamState } from '@nats-io/jetstream'
import type { Clock } from '@pulse/domain'
import type { CompiledQuery } from 'kysely'
import type { Logger } from 'pino'
import { DatabaseError, isRefusal } from '../database-error.ts'
import type { Database } from '../db/database.ts'
import type { Leading } from '../db/postgres.ts'
import type { Vault } from '../seal.ts'
import type { OnSignal } from '../signal.ts'
import { createMutex } from '../timing/concurrency.ts'
import { createTicker } from '../timing/ticker.ts'
import type { Bus } from './bus.ts'
import { isGone, isUntaken } from './jetstream-errors.ts'
import { demandStream } from './streams.ts'
import { unsavedStream, unsavedWrites } from './subjects.ts'
import {
  isAfter,
  recordReader,
  sendRecord,
  type UnsavedPlace,
  type UnsavedRecord,
} from './unsaved-records.ts'

/** Hours of many alerts. Above one of them, the process that leads keeps what is new in its memory only. */
const mostStreamBytes = 256 * 1024 * 1024
const mostKeptBytes = 64 * 1024 * 1024
/** of one transaction, when the database takes them */
const mostStatements = 500
/** They are written again at this pace, until the database takes them. */
const retryMs = 2_000
/** The row of `meta` that says which of them are written. */
const markKey = 'unsaved'

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
  /** The line to NATS is back. */
  onBack: OnSignal
  onFault: (error: unknown) => void
}

export interface UnsavedWrites {
  /** The database for what the process that leads may not lose. A transaction that is kept elsewhere has succeeded. */
  db: Database
  /** The database knows that this process leads. Resolves when it has what those before could not write. */
  lead(): Promise<void>
  stop(): void
}

interface Kept extends UnsavedRecord {
  bytes: number
}

/**
 * While the database is away, a stream of NATS keeps what the process that leads writes about alerts and messages, so that the
 * next one knows which were sent if this one ends before the database is back. The database gets them in their order, each
 * transaction once. They are sealed: no other client of NATS can read or add any.
 */
export async function keepUnsavedWrites(edges: UnsavedWritesEdges): Promise<UnsavedWrites> {
  const { bus, db, leading, vault, clock, log, mayAct, onFault } = edges
  const { streams } = bus.manager
  const inOrder = createMutex()
  /** the fence of this process, as the database has it, and its newest record */
  let own: UnsavedPlace | undefined
  /** The newest record of this process that the database knows about. */
  let marked = 0
  /** The stream may have this record, although its write has failed. */
  let uncertain = 0
  /** of the stream: when it was made, and the newest message that this process has sent or found */
  let [created, newest] = ['', 0]
  let kept: Kept[] = []
  let isRemovalDue = false

  const demand = () => demandUnsavedStream(bus, edges.replicas)
  await demand()

  async function keep(queries: readonly CompiledQuery[], refusal: unknown): Promise<void> {
    if (!own || !isRefusal(refusal) || !mayAct()) throw refusal
    const statements = queries.map(({ sql, parameters }) => ({ sql, parameters }))
    const bytes = Buffer.byteLength(JSON.stringify(statements))
    if (kept.reduce((sum, one) => sum + one.bytes, bytes) > mostKeptBytes) throw refusal
    own = { ...own, number: own.number + 1 }
    const record = { ...own, statements }
    const before = uncertain
    uncertain = own.number
    try {
      await send(record)
    } catch (error) {
      onFault(error)
      throw refusal
    }
    // the next process that leads may have read the stream before
    if (!mayAct()) throw refusal
    uncertain = before
    kept.push({ ...record, bytes })
    if (kept.length === 1)
      log.warn('the database is away: NATS keeps records of alerts and messages until it is back')
  }

  async function send(record: UnsavedRecord) {
    try {
      newest = await sendRecord(bus.jetstream, vault, record)
    } catch (error) {
      if (!isUntaken(error)) throw error
      await renew()
      newest = await sendRecord(bus.jetstream, vault, record)
    }
  }

  /** The servers may have lost the stream. Another one gets what the database does not have yet. */
  async function renew() {
    await demand()
    const found = await streams.info(unsavedStream)
    if (found.created === created) return
    for (const record of kept) newest = await sendRecord(bus.jetstream, vault, record)
    created = found.created
  }

  /** Rejects while the database does not take them. */
  async function writeKept() {
    while (kept.length > 0) {
      const batch = batchOf(kept)
      await store(batch)
      kept = kept.slice(batch.length)
      isRemovalDue = true
    }
  }

  /** With a mark, so that each of them is written once. */
  async function store(records: readonly UnsavedRecord[]): Promise<void> {
    const last = records.at(-1)!
    const mark = markingOf(db, last)
    try {
      await leading.write([...records.flatMap(({ statements }) => statements), mark])
    } catch (error) {
      if (isRefusal(error) || isFenced(error)) throw error
      if (records.length > 1) {
        for (const record of records) await store([record])
        return
      }
      log.error({ err: error }, 'a record of alerts or messages that NATS kept cannot be stored, and is lost')
      await leading.write([mark])
    }
    if (last.fence === own?.fence) marked = last.number
  }

  /** What the database has. Its mark says so too, so this need not succeed at once. */
  async function remove() {
    // later messages are of the process that leads now
    if (!mayAct()) return
    try {
      await streams.purge(unsavedStream, { seq: newest + 1 })
      isRemovalDue = false
    } catch (error) {
      if (isGone(error)) await renew()
    }
  }

  const retrying = createTicker({
    clock,
    intervalMs: retryMs,
    run: () =>
      inOrder(async () => {
        await writeKept().catch(unlessRefused)
        if (isRemovalDue && kept.length === 0) await remove()
      }),
    onError: onFault,
  })
  const unsubscribe = edges.onBack(() => void inOrder(renew).catch(onFault))

  /** What those that led before could not write, as far as they led when they sent it. */
  async function writeFormer({ first_seq, last_seq }: StreamState) {
    const read = recordReader(vault, log)
    let mark = await markIn(db)
    let batch: UnsavedRecord[] = []
    for (let seq = Math.max(first_seq, 1); seq <= last_seq; seq++) {
      const message = await streams.getMessage(unsavedStream, { seq })
      const record = message && read(message)
      if (!record || !isAfter(record, mark)) continue
      mark = record
      batch.push(record)
      if (!isFull(batch)) continue
      await store(batch)
      batch = []
    }
    if (batch.length > 0) await store(batch)
  }

  async function write(queries: readonly CompiledQuery[]) {
    await writeKept()
    if (!own || uncertain <= marked) return db.transaction(queries)
    // with a mark: a record whose write has failed is not written over what comes after it
    const { number } = own
    await db.transaction([...queries, markingOf(db, own)])
    marked = number
  }

  return {
    db: {
      ...db,
      transaction: (queries) => inOrder(() => write(queries).catch((error: unknown) => keep(queries, error))),
    },
    lead: () =>
      inOrder(async () => {
        await demand()
        const found = await streams.info(unsavedStream)
        await writeFormer(found.state)
        const first = { fence: await fenceOf(db), number: 0 }
        // also over what those before send late
        await leading.write([markingOf(db, first)])
        own = first
        created = found.created
        newest = found.state.last_seq
        isRemovalDue = true
      }),
    stop() {
      retrying.stop()
      unsubscribe()
    },
  }
}

const demandUnsavedStream = (bus: Pick<Bus, 'manager'>, replicas: number) =>
  demandStream(bus, {
    name: unsavedStream,
    made: { retention: RetentionPolicy.Limits, storage: StorageType.File, discard: DiscardPolicy.New },
    config: { subjects: [unsavedWrites], max_bytes: mostStreamBytes, num_replicas: replicas },
  })

const sizeOf = (records: readonly UnsavedRecord[]) =>
  records.reduce((sum, { statements }) => sum + statements.length, 0)
const isFull = (records: readonly UnsavedRecord[]) => sizeOf(records) >= mostStatements

/** The oldest, as many as one transaction takes. */
function batchOf(records: readonly Kept[]): Kept[] {
  const batch: Kept[] = []
  for (const record of records) {
    batch.push(record)
    if (isFull(batch)) break
  }
  return batch
}

const isFenced = (error: unknown) => error instanceof DatabaseError && error.fault === 'fenced'

function unlessRefused(error: unknown) {
  if (!isRefusal(error)) throw error
}

/** The newest record that the database has or passes over. */
async function markIn({ query }: Database): Promise<UnsavedPlace> {
  const row = await query.selectFrom('meta').select('value').where('key', '=', markKey).executeTakeFirst()
  const [fence = '', number] = row?.value.split(' ') ?? []
  return { fence, number: Number(number ?? 0) }
}

function markingOf({ query }: Database, { fence, number }: UnsavedPlace): CompiledQuery {
  const value = `${fence} ${number}`
  return query
    .insertInto('meta')
    .values({ key: markKey, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .compile()
}

const fenceOf = async ({ query }: Database): Promise<string> =>
  (await query.selectFrom('leadership').select('fence').executeTakeFirstOrThrow()).fence
