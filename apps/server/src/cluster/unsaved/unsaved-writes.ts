import type { StreamState } from '@nats-io/jetstream'
import type { Clock } from '@pulse/domain'
import type { CompiledQuery } from 'kysely'
import type { Logger } from 'pino'
import { isRefusal } from '../../database-error.ts'
import type { Database } from '../../db/database.ts'
import type { Leading } from '../../db/postgres.ts'
import { isHopeless } from '../../db/postgres-errors.ts'
import type { Vault } from '../../seal.ts'
import type { OnSignal } from '../../signal.ts'
import { createMutex } from '../../timing/concurrency.ts'
import { pause } from '../../timing/pause.ts'
import { createTicker } from '../../timing/ticker.ts'
import type { Bus } from '../nats/bus.ts'
import { isTaken, isUntaken } from '../nats/jetstream-errors.ts'
import { unsavedStream } from '../nats/subjects.ts'
import { demandUnsavedStream, foundUnsavedStream } from './unsaved-stream.ts'
import { fenceIn, markIn, markingOf } from './unsaved-mark.ts'
import {
  formerRecords,
  isAfter,
  recordReader,
  sendRecord,
  type UnsavedPlace,
  type UnsavedRecord,
} from './unsaved-records.ts'

/** Hours of many alerts, as in the stream. Above it, the process that leads keeps what is new in its memory only. */
const mostKeptBytes = 64 * 1024 * 1024
/** of one transaction, when the database takes them */
const mostStatements = 500
const askAgainMs = 200
/** They are written again at this pace, until the database takes them. */
const retryMs = 2_000

export interface UnsavedWritesEdges {
  bus: Pick<Bus, 'jetstream' | 'manager'>
  db: Database
  leading: Pick<Leading, 'write'>
  vault: Pick<Vault, 'sealBytes' | 'openBytes'>
  clock: Pick<Clock, 'after' | 'monotonic'>
  log: Pick<Logger, 'warn' | 'error'>
  replicas: number
  /** Whether this process has the lease of the lead: the next one that leads reads the stream after that. */
  holdsLease: () => boolean
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
  const { bus, db, leading, vault, clock, log, holdsLease, onFault } = edges
  const { streams } = bus.manager
  const inOrder = createMutex()
  const ending = new AbortController()
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
  /** The servers may have lost the stream. */
  let isRenewalDue = false
  /** It is unknown whether the last attempt to store what is kept has succeeded. */
  let isMarkUnknown = false

  const found = () => foundUnsavedStream(bus, edges.replicas)
  await demandUnsavedStream(bus, edges.replicas)

  async function keep(queries: readonly CompiledQuery[], refusal: unknown): Promise<void> {
    if (!own || !isRefusal(refusal) || !holdsLease()) throw refusal
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
    if (!holdsLease()) throw refusal
    uncertain = before
    kept.push({ ...record, bytes })
    if (kept.length === 1)
      log.warn('the database is away: NATS keeps records of alerts and messages until it is back')
  }

  async function send(record: UnsavedRecord) {
    try {
      newest = await sendRecord(bus.jetstream, vault, record, newest)
    } catch (error) {
      if (!isUntaken(error) && !isTaken(error)) throw error
      await renew()
      newest = await sendRecord(bus.jetstream, vault, record, newest)
    }
  }

  /** If the servers have lost the stream, another one gets what the database does not have yet. */
  async function renew() {
    isRenewalDue = true
    const { created: madeAt, state } = await found()
    newest = state.last_seq
    if (madeAt !== created)
      for (const record of kept) newest = await sendRecord(bus.jetstream, vault, record, newest)
    created = madeAt
    isRenewalDue = false
  }

  /** Rejects while the database does not take them. */
  async function writeKept() {
    if (isMarkUnknown) await passWritten()
    while (kept.length > 0) {
      const batch = batchOf(kept)
      await store(batch)
      kept = kept.slice(batch.length)
      isRemovalDue = true
    }
  }

  async function passWritten() {
    const mark = await markIn(db)
    kept = kept.filter((one) => isAfter(one, mark))
    if (mark.fence === own?.fence) marked = mark.number
    isMarkUnknown = false
  }

  /** With a mark, so that each of them is written once. */
  async function store(records: readonly UnsavedRecord[]): Promise<void> {
    const last = records.at(-1)!
    const mark = markingOf(db, last)
    try {
      await leading.write([...records.flatMap(({ statements }) => statements), mark])
    } catch (error) {
      isMarkUnknown = true
      if (!isHopeless(error)) throw error
      if (records.length > 1) {
        for (const record of records) await store([record])
        return
      }
      await leading.write([mark])
      log.error({ err: error }, 'a record of alerts or messages that NATS kept cannot be stored, and is lost')
    }
    isMarkUnknown = false
    if (last.fence === own?.fence) marked = last.number
  }

  /** What the database has. Its mark says so too, so this need not succeed at once. */
  async function remove() {
    const { state } = await found()
    newest = state.last_seq
    // Later messages are of the process that leads now. Nothing is before 1, and nats-server 2.9 would purge it all.
    if (state.messages > 0 && newest > 0 && holdsLease())
      await streams.purge(unsavedStream, { seq: newest + 1 })
    isRemovalDue = false
  }

  const retrying = createTicker({
    clock,
    intervalMs: retryMs,
    run: () =>
      inOrder(async () => {
        // the next run tries again what needs NATS: who looks after Pulse knows already that it is away
        if (isRenewalDue) await renew().catch(() => {})
        await writeKept().catch(unlessRefused)
        if (isRemovalDue && kept.length === 0 && holdsLease()) await remove().catch(() => {})
      }),
    onError: onFault,
  })
  const unsubscribe = edges.onBack(() => void inOrder(renew).catch(onFault))

  /** What those that led before could not write, as far as they led when they sent it. */
  async function writeFormer(state: StreamState) {
    const former = formerRecords(state, {
      after: await markIn(db),
      messageAt: (seq) => inTime(() => streams.getMessage(unsavedStream, { seq })),
      read: recordReader(vault, log),
    })
    let batch: UnsavedRecord[] = []
    for await (const record of former) {
      batch.push(record)
      if (!isFull(batch)) continue
      await store(batch)
      batch = []
    }
    if (batch.length > 0) await store(batch)
  }

  /** The servers may need a while to agree on the stream, such as after the end of one of them. */
  async function inTime<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await ask()
      } catch (error) {
        if (!holdsLease() || ending.signal.aborted) throw error
        onFault(error)
        await pause(clock, askAgainMs, ending.signal)
      }
    }
  }

  async function write(queries: readonly CompiledQuery[]) {
    await writeKept()
    if (!own || uncertain <= marked) return db.transaction(queries)
    // with a mark: a record whose write has failed is not written over what comes after it
    const { number } = own
    await db.transaction([...queries, markingOf(db, own)])
    marked = number
    isRemovalDue = true
  }

  return {
    db: {
      ...db,
      transaction: (queries) => inOrder(() => write(queries).catch((error: unknown) => keep(queries, error))),
    },
    lead: () =>
      inOrder(async () => {
        const { created: madeAt, state } = await inTime(found)
        await writeFormer(state)
        const first = { fence: await fenceIn(db), number: 0 }
        // also over what those before send late
        await leading.write([markingOf(db, first)])
        own = first
        created = madeAt
        newest = state.last_seq
        isRemovalDue = true
      }),
    stop() {
      ending.abort()
      retrying.stop()
      unsubscribe()
    },
  }
}

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

function unlessRefused(error: unknown) {
  if (!isRefusal(error)) throw error
}
