import type { Clock } from '@pulse/domain'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { DatabaseError, ThreadEnded } from '../database-error.ts'
import { backoffMs } from '../timing/backoff.ts'
import type { Reply, Request, StatementResult, WorkerSetup } from './messages.ts'

// A release has one bundle with the worker next to it; a checkout runs the sources.
const workerUrl = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './db-worker.cjs',
  import.meta.url,
)

/**
 * The thread holds only a few rows at a time, so V8's usual young generation would waste memory. It needs
 * neither the environment nor the flags of this process.
 */
const workerOptions: WorkerOptions = {
  resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 },
  env: {},
  execArgv: [],
}
/** A thread that has run for this long did not fail at its start. */
const SOUND_MS = 60_000
/** Pause before a new thread, when the previous one failed soon after its start. */
const backoff = { firstMs: 500, longestMs: 30_000 }

export type WithoutId<R> = R extends Request ? Omit<R, 'id'> : never

export interface ThreadEdges {
  clock: Pick<Clock, 'monotonic' | 'after'>
  /** The thread ended unexpectedly. Calls in progress are rejected; later ones go to its successor. */
  onEnded: (why: string) => void
  /** The new thread has answered. */
  onBack: () => void
}

export interface Thread {
  ask(what: WithoutId<Request>): Promise<StatementResult[]>
  close(): Promise<void>
}

/**
 * The thread that owns a database file. A thread that dies is replaced: immediately the first time, after a
 * growing pause when its successors die too. A thread that never answered is not replaced, because the file
 * cannot be opened.
 */
export function startThread(setup: WorkerSetup, { clock, onEnded, onBack }: ThreadEdges): Thread {
  const waiting = new Map<number, { resolve: (r: StatementResult[]) => void; reject: (e: Error) => void }>()
  let nextId = 1
  let worker: Worker | undefined
  let hasEverAnswered = false
  let hasEnded = false
  let closing = false
  let deaths = 0
  let ended: Error | undefined
  let cancelPause = () => {}
  spawn()

  function spawn() {
    const own = new Worker(workerUrl, { ...workerOptions, workerData: setup })
    const bornAt = clock.monotonic()
    let why: Error | undefined
    worker = own
    own.on('message', (reply: Reply) => {
      hasEverAnswered = true
      if (hasEnded) {
        hasEnded = false
        onBack()
      }
      const caller = waiting.get(reply.id)
      waiting.delete(reply.id)
      if (reply.ok) caller?.resolve(reply.results)
      else caller?.reject(new DatabaseError(reply.message, reply.sqliteCode))
    })
    own.on('error', (error: Error) => (why = error))
    own.on('exit', () => {
      if (own === worker) bury(why, clock.monotonic() - bornAt)
    })
  }

  function bury(why: Error | undefined, livedMs: number) {
    worker = undefined
    const { errcode } = (why ?? {}) as { errcode?: number }
    const message = why?.message ?? 'the database thread has ended'
    const error = hasEverAnswered && !closing ? new ThreadEnded(message) : new DatabaseError(message, errcode)
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
    ended = error
    if (closing || !hasEverAnswered) return
    if (!hasEnded) onEnded(message)
    hasEnded = true
    deaths = livedMs >= SOUND_MS ? 0 : deaths + 1
    const pauseMs = deaths <= 1 ? 0 : backoffMs(backoff, deaths)
    if (pauseMs === 0) rise()
    else cancelPause = clock.after(pauseMs, rise)
  }

  function rise() {
    ended = undefined
    spawn()
    // a thread answers only after a call
    ask({ do: 'run', statements: [{ sql: 'SELECT 1', parameters: [] }] }).catch(() => undefined)
  }

  function ask(what: WithoutId<Request>): Promise<StatementResult[]> {
    if (ended || !worker) return Promise.reject(ended ?? new ThreadEnded('it is being restarted'))
    const id = nextId++
    const { promise, resolve, reject } = Promise.withResolvers<StatementResult[]>()
    waiting.set(id, { resolve, reject })
    worker.postMessage({ ...what, id } as Request)
    return promise
  }

  return {
    ask,
    async close() {
      cancelPause()
      if (ended || closing) return
      const last = ask({ do: 'close' })
      closing = true
      await last
    },
  }
}
