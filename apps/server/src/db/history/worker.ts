import fs from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { createSampleStores } from '../../samples/store.ts'
import { createBackTests } from './back-tests.ts'
import { chartsIn } from './charts.ts'
import { isDamage } from './damage.ts'
import { edgeValuesIn } from './edge-values.ts'
import { keepAside, removeHistoryFile } from './files.ts'
import { forecastsIn } from './forecasts.ts'
import { type HistoryFile, openHistoryFile } from './history-file.ts'
import { maintain } from './maintain.ts'
import {
  notOpen,
  type HistoryReply,
  type HistoryRequest,
  type HistoryResult,
  type HistorySetup,
  type Maintenance,
} from './messages.ts'
import type { ChangesRequest } from './past-messages.ts'
import { seriesIn } from './series.ts'
import { inSlices } from './slices.ts'

/** The only thread that accesses history.db, so that nothing else ever waits for it. */
const { file, reserveBytes, samples: others } = workerData as HistorySetup
const stores = others && createSampleStores(others)
const port = parentPort!
const backTests = createBackTests()
let history: HistoryFile | undefined
let isMaintaining = false
/** since the last `open`: a file was begun, and one was damaged */
let isNew = false
let keptAside: string | undefined

port.on('message', (request: HistoryRequest) => void reply(request))

async function reply(request: HistoryRequest) {
  const { id } = request
  try {
    const results = await answer(request)
    port.postMessage({ id, ok: true, results } satisfies HistoryReply)
  } catch (error) {
    if (isDamage(error)) setAside()
    const { message, errcode } = error as { message: string; errcode?: number }
    port.postMessage({ id, ok: false, message, sqliteCode: errcode } satisfies HistoryReply)
  }
  if (request.do === 'close') port.close()
}

/** The next `open` begins a new file. */
function setAside() {
  try {
    history?.abandon()
  } catch {
    // a damaged file may refuse that too; it is moved away in any case
  }
  history = undefined
  keptAside = keepAside(file, Date.now())
}

function answer(request: HistoryRequest): HistoryResult | Promise<HistoryResult> {
  if (request.do === 'open') {
    history ??= openOrBegin(request.fields)
    const opened = { ...history.opened(), isNew, ...(keptAside && { keptAside }) }
    isNew = false
    keptAside = undefined
    return { do: 'open', opened }
  }
  if (request.do === 'hello') return { do: 'hello' }
  if (request.do === 'clear') {
    clear()
    return { do: 'clear' }
  }
  if (request.do === 'close') {
    history?.close()
    return stores ? stores.close().then(() => ({ do: 'close' as const })) : { do: 'close' }
  }
  if (!history) throw new Error(notOpen)
  const { samples, things } = history
  switch (request.do) {
    case 'identify': {
      const { at, changes, wanted } = request
      return { do: 'identify', numbers: things.identify(at, changes, wanted) }
    }
    case 'append':
      return { do: 'append', written: history.append(request.at, request.columns, request.isHeld) }
    case 'edgeValues':
      return edgeValuesIn(history, request).then((values) => ({ do: 'edgeValues' as const, values }))
    case 'trends': {
      const { kind, ids, field, from, minutes, leastTop } = request
      const numbers = things.find(kind, ids)
      const known = [...numbers.keys()].filter((n) => numbers[n] !== undefined)
      const found = known.map((n) => numbers[n]!)
      const trends = samples.trends(field, found, from, minutes, leastTop)
      return trends instanceof Promise
        ? trends.then((own) => ({ do: 'trends' as const, known, trends: own }))
        : { do: 'trends', known, trends }
    }
    case 'backTest':
      return backTests
        .run(request.user, request.request, samples)
        .then((played) => ({ do: 'backTest' as const, played }))
    case 'forecasts': {
      const { id: _id, do: _do, ...asked } = request
      return forecastsIn(history, asked).then((forecasts) => ({ do: 'forecasts' as const, forecasts }))
    }
    case 'charts':
      return chartsIn(history, request).then((part) => ({ do: 'charts' as const, part }))
    case 'series':
      return seriesIn(history, request).then((json) => ({ do: 'series' as const, json }))
    case 'maintain':
      return maintainIn(history, request)
    case 'changes':
      return changesIn(history, request)
    case 'sizes':
      return { do: 'sizes', sizes: history.sizes() }
    default:
      return history.past.answer(request)
  }
}

function openOrBegin(fields: Parameters<typeof openHistoryFile>[1]): HistoryFile {
  isNew ||= !fs.existsSync(file)
  try {
    return openHistoryFile(file, fields, reserveBytes, stores)
  } catch (error) {
    if (!isDamage(error)) throw error
    setAside()
    isNew = true
    return openHistoryFile(file, fields, reserveBytes, stores)
  }
}

/** What is not durable is dropped: on a full disk, storing it would fail. */
function clear() {
  const old = history
  history = undefined
  old?.abandon()
  removeHistoryFile(file)
}

/** Other requests are answered between its steps. One of them may replace the file. */
async function maintainIn(own: HistoryFile, maintenance: Maintenance): Promise<HistoryResult> {
  if (isMaintaining) return maintained()
  if (!own.isInPlace()) {
    // the next `open` begins another
    history = undefined
    own.abandon()
    throw new Error('its file was deleted')
  }
  isMaintaining = true
  try {
    await inSlices(maintain(own, maintenance), () => history !== own)
  } finally {
    isMaintaining = false
  }
  return maintained()
}

const maintained = (): HistoryResult => ({
  do: 'maintain',
  removedUntil: history?.opened().removedUntil ?? {},
})

async function changesIn(own: HistoryFile, request: ChangesRequest): Promise<HistoryResult> {
  const result = await inSlices(own.past.changes(request), () => history !== own)
  if (!result) throw new Error(notOpen)
  return result
}
