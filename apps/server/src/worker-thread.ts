import type { Clock } from '@pulse/domain'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { SqliteError, ThreadEnded } from './database-error.ts'
import { backoffMs } from './timing/backoff.ts'

/** A thread that has run for this long did not fail at its start. */
const SOUND_MS = 60_000
/** Pause before a new thread, when the previous one failed soon after its start. */
const backoff = { firstMs: 500, longestMs: 30_000 }

export type ThreadReply<Result> =
  | { id: number; ok: true; results: Result }
  | { id: number; ok: false; message: string; sqliteCode: number | undefined }

export type WithoutId<R> = R extends { id: number } ? Omit<R, 'id'> : never

export interface ThreadProgram<Request extends { id: number }> {
  url: URL
  options: WorkerOptions
  setup: unknown
  /** changes nothing: a new thread shows by its answer that it works */
  hello: WithoutId<Request>
  /** the last request */
  goodbye: WithoutId<Request>
}

export interface ThreadEdges {
  clock: Pick<Clock, 'monotonic' | 'after'>
  /** The thread ended unexpectedly. Calls in progress are rejected; later ones go to its successor. */
  onEnded: (why: string) => void
  /** The new thread has answered. */
  onBack: () => void
}

export interface Thread<Request extends { id: number }, Result> {
  ask(what: WithoutId<Request>): Promise<Result>
  /** Resolves when the thread has done its last request. A thread that has never answered is ended at once. */
  close(): Promise<void>
}

/**
 * The thread that owns a database file. A thread that dies is replaced: immediately the first time, after a
 * growing pause when its successors die too. A thread that never answered is not replaced, because the file
 * cannot be opened.
 */
export function startThread<Request extends { id: number }, Result>(
  { url, options, setup, hello, goodbye }: ThreadProgram<Request>,
  { clock, onEnded, onBack }: ThreadEdges,
): Thread<Request, Result> {
  const waiting = new Map<number, { resolve: (r: Result) => void; reject: (e: Error) => void }>()
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
    const own = new Worker(url, { ...options, workerData: setup })
    const bornAt = clock.monotonic()
    let why: Error | undefined
    worker = own
    own.on('message', (reply: ThreadReply<Result>) => {
      hasEverAnswered = true
      if (hasEnded) {
        hasEnded = false
        onBack()
      }
      const caller = waiting.get(reply.id)
      waiting.delete(reply.id)
      if (reply.ok) caller?.resolve(reply.results)
      else caller?.reject(new SqliteError(reply.message, reply.sqliteCode))
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
    const error = hasEverAnswered && !closing ? new ThreadEnded(message) : new SqliteError(message, errcode)
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
    ask(hello).catch(() => undefined)
  }

  function ask(what: WithoutId<Request>): Promise<Result> {
    if (ended || !worker) return Promise.reject(ended ?? new ThreadEnded('it is being restarted'))
    const id = nextId++
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    waiting.set(id, { resolve, reject })
    worker.postMessage({ ...what, id })
    return promise
  }

  return {
    ask,
    async close() {
      cancelPause()
      if (ended || closing) return
      if (!hasEverAnswered) {
        closing = true
        await worker?.terminate()
        return
      }
      const last = ask(goodbye)
      closing = true
      await last
    },
  }
}
