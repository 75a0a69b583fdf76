import { setImmediate as nextTurn } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { createBackTests } from './back-tests.ts'
import { type HistoryFile, isDamage, keepAside, openHistoryFile } from './history-file.ts'
import type { HistoryReply, HistoryRequest, HistoryResult } from './messages.ts'

/** The only thread that accesses history.db, so that nothing else ever waits for it. */
const { file } = workerData as { file: string }
const port = parentPort!
const backTests = createBackTests()
let history: HistoryFile | undefined
let isMaintaining = false
let keptAside: string | undefined

port.on('message', (request: HistoryRequest) => void reply(request))

async function reply(request: HistoryRequest) {
  const { id } = request
  try {
    const results = await answer(request)
    port.postMessage({ id, ok: true, results } satisfies HistoryReply)
    if (request.do === 'close') port.close()
  } catch (error) {
    if (isDamage(error)) setAside()
    const { message, errcode } = error as { message: string; errcode?: number }
    port.postMessage({ id, ok: false, message, sqliteCode: errcode } satisfies HistoryReply)
  }
}

/** The next `open` begins a new file. */
function setAside() {
  try {
    history?.close()
  } catch {
    // a damaged file may refuse that too; it is moved away in any case
  }
  history = undefined
  keptAside = keepAside(file, Date.now())
}

function answer(request: HistoryRequest): HistoryResult | Promise<HistoryResult> {
  if (request.do === 'open') {
    history ??= openOrBegin(request.fields)
    const opened = { ...history.opened(), ...(keptAside && { keptAside }) }
    keptAside = undefined
    return { do: 'open', opened }
  }
  if (request.do === 'close') {
    history?.close()
    return { do: 'close' }
  }
  if (!history) throw new Error('the metric history is not open')
  const { store } = history
  switch (request.do) {
    case 'append':
      return { do: 'append', written: history.append(request.at, request.columns, request.things) }
    case 'samples': {
      const { field, things, from, to } = request
      return { do: 'samples', series: store.samples(field, things, from, to) }
    }
    case 'buckets': {
      const { tier, field, things, from, to } = request
      return { do: 'buckets', series: store.buckets(tier, field, things, from, to) }
    }
    case 'backTest':
      return backTests
        .run(request.user, request.request, store)
        .then((played) => ({ do: 'backTest' as const, played }))
    case 'maintain':
      return maintain(request.now, request.keepMs)
  }
}

function openOrBegin(fields: Parameters<typeof openHistoryFile>[1]): HistoryFile {
  try {
    return openHistoryFile(file, fields)
  } catch (error) {
    if (!isDamage(error)) throw error
    setAside()
    return openHistoryFile(file, fields)
  }
}

/** Other requests are answered between its steps. */
async function maintain(
  now: number,
  keepMs: Extract<HistoryRequest, { do: 'maintain' }>['keepMs'],
): Promise<HistoryResult> {
  if (isMaintaining || !history) return { do: 'maintain' }
  isMaintaining = true
  try {
    for (const work of [history.store.compact(now), history.store.retain(now, keepMs)])
      while (!work.next().done) await nextTurn()
  } finally {
    isMaintaining = false
  }
  return { do: 'maintain' }
}
