import { type Clock, sampledFields } from '@pulse/domain'
import type { Logger } from 'pino'
import { AppError } from '../app-error.ts'
import { type SqliteError, ThreadEnded } from '../database-error.ts'
import { isDamageCode } from '../db/history/damage.ts'
import {
  type HistoryRequest,
  type HistoryResult,
  type HistorySetup,
  notOpen as notOpenWhy,
  type Opened,
} from '../db/history/messages.ts'
import { startThread, type Thread as WorkerThread } from '../worker-thread.ts'
import type { Failing } from './failing.ts'
import type { Ask, Asked } from './queries.ts'
import { createReads, isRead } from './reads.ts'

// A release has one bundle with the worker next to it; a checkout runs the sources.
const url = new URL(
  import.meta.url.endsWith('.ts') ? '../db/history/worker.ts' : './history-worker.cjs',
  import.meta.url,
)
/** The samples of an hour, compressed, and one figure of all things at a time. */
const options = {
  resourceLimits: { maxYoungGenerationSizeMb: 3, maxOldGenerationSizeMb: 192 },
  env: {},
  execArgv: [],
}
const fields = sampledFields.map(({ kind, name }) => ({ kind, name }))

export interface HistoryThreadEdges extends HistorySetup, Failing {
  clock: Clock
  log: Logger
  /** The file was opened: for the first time, again, or another one. */
  onOpened: (opened: Opened) => void
}

export interface HistoryThread {
  /** Opens the file first, if it is not open. Rejects with `history_unavailable` if that fails. Reads wait in a queue. */
  ask: Ask
  /** At once, without a queue. The file was open before. */
  send: Ask
  isOpen(): boolean
  /** Never rejects: the next call tries again. */
  open(): Promise<void>
  /** Rejects with `history_unavailable` if the file cannot be opened. */
  demandOpen(): Promise<void>
  /** The next call opens the file again. */
  reopen(): void
  /** Deletes the file and begins a new one. */
  clear(): Promise<void>
  close(): Promise<void>
}

/** The thread that owns history.db, and what its file needs: it is opened on demand, and again after a fault. */
export function createHistoryThread(edges: HistoryThreadEdges): HistoryThread {
  const { file, reserveBytes, samples, clock, log, onOpened, note, whyNotOpen } = edges
  const reads = createReads()
  let thread: WorkerThread<HistoryRequest, HistoryResult> | undefined
  let opening: Promise<void> | undefined
  /** of the open file; 0: none is open */
  let session = 0
  let sessions = 0
  let isUnreadable = false
  let isStopped = false

  async function send<D extends HistoryResult['do']>(what: Extract<Asked, { do: D }>) {
    return (await thread!.ask(what as Asked)) as Extract<HistoryResult, { do: D }>
  }

  async function read<D extends HistoryResult['do']>(what: Extract<Asked, { do: D }>) {
    const own = session
    try {
      const answer = await send(what)
      isUnreadable = false
      return answer
    } catch (cause) {
      const error = cause as SqliteError
      if (!isUnreadable) log.error({ err: error }, 'the metric history cannot be read')
      isUnreadable = true
      const isClosed =
        error instanceof ThreadEnded || isDamageCode(error.sqliteCode) || error.message === notOpenWhy
      // the next one opens it again
      if (isClosed && own === session) session = 0
      const message = isClosed
        ? 'The metric history is being opened again. Try again in a moment.'
        : `The metric history cannot be read: ${error.message}`
      throw new AppError('history_unavailable', message, { cause })
    }
  }

  function notOpen() {
    const why = whyNotOpen() ?? 'Pulse is stopping'
    return new AppError('history_unavailable', `The metric history cannot be opened: ${why}`)
  }

  const open = () => (opening ??= tryToOpen().finally(() => (opening = undefined)))

  /** The file may be on a full disk, so every tick and every call tries it again. */
  async function tryToOpen() {
    if (isStopped) return
    try {
      thread ??= startThread<HistoryRequest, HistoryResult>(
        {
          url,
          options,
          setup: { file, reserveBytes, samples },
          hello: { do: 'hello' },
          goodbye: { do: 'close' },
        },
        {
          clock,
          onEnded(why) {
            log.error({ why }, 'the thread of the metric history has ended')
            session = 0
          },
          onBack() {},
        },
      )
      const { opened } = await send({ do: 'open', fields })
      session = ++sessions
      note('open', undefined)
      onOpened(opened)
    } catch (error) {
      note('open', error as Error)
    }
  }

  async function demandOpen() {
    if (!session) await open()
    if (!session) throw notOpen()
  }

  return {
    async ask(what) {
      await demandOpen()
      return isRead(what.do) ? reads.run(what.do, () => read(what)) : send(what)
    },
    send,
    isOpen: () => session > 0,
    open,
    demandOpen,
    reopen: () => void (session = 0),
    async clear() {
      try {
        if (!session) await open()
        if (!thread) throw notOpen()
        await send({ do: 'clear' })
        session = 0
        await open()
      } catch (error) {
        session = 0
        throw error
      }
    },
    async close() {
      isStopped = true
      await thread?.close()
    },
  }
}
