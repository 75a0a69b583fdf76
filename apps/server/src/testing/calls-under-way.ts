import { createHook } from 'node:async_hooks'
import diagnostics from 'node:diagnostics_channel'
import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'

interface Call {
  host: string
}

const open = new Set<Call>()
diagnostics.subscribe('tracing:pulse:call:start', (message) => void open.add(message as Call))
diagnostics.subscribe('tracing:pulse:call:asyncEnd', (message) => void open.delete(message as Call))

/** Whether a call of this thread to one of the hosts is pending. */
const isAsked = (hosts: ReadonlySet<string>): boolean => [...open].some(({ host }) => hosts.has(host))

/**
 * Work that this thread has passed to others, such as hashing, files and name lookups. It causes no event
 * before it is done.
 */
const givenAway = new Map<number, object>()
const kinds = new Map<string, boolean>()
/** Called for every new async resource; there are few kinds of them. */
function isGivenAway(type: string): boolean {
  let known = kinds.get(type)
  if (known === undefined)
    kinds.set(type, (known = /^(FSREQ|GETADDRINFO|GETNAMEINFO)|(?<!^HTTPCLIENT)REQUEST$/.test(type)))
  return known
}
const watchOfWork = createHook({
  trackPromises: false,
  init: (id, type, _trigger, work) => void (isGivenAway(type) && givenAway.set(id, work)),
  after: (id) => void givenAway.delete(id),
  destroy: (id) => void givenAway.delete(id),
})
let watching = 0

/** of a test, or of anything else that ends */
interface WorkContext {
  onTestFinished(end: () => void): void
}

/**
 * Synchronous work, such as `generateKeyPairSync`, is never pending; its resource ends when it is
 * garbage-collected.
 */
const isUnderWay = (work: object) => ['ondone', 'oncomplete', 'promise'].some((key) => key in work)

function watchWork({ onTestFinished }: WorkContext) {
  if (watching++ === 0) watchOfWork.enable()
  onTestFinished(() => {
    if (--watching > 0) return
    watchOfWork.disable()
    givenAway.clear()
  })
}

/** Worker threads of this thread, with the number of their unanswered messages. */
const workers = new Map<Worker, number>()
const count = (worker: Worker, by: number) => workers.set(worker, (workers.get(worker) ?? 0) + by)
// A worker is reported after its creation, at its first message.
const post = Object.getOwnPropertyDescriptor(Worker.prototype, 'postMessage')!.value as Worker['postMessage']
Worker.prototype.postMessage = function (this: Worker, ...message: Parameters<Worker['postMessage']>) {
  count(this, 1)
  post.apply(this, message)
}
process.on('worker', (worker: Worker) => {
  count(worker, 0)
  worker.on('message', () => count(worker, -1))
  worker.once('exit', () => workers.delete(worker))
})

/** Tolerance in ms, because a worker's busy time is read from two clocks at slightly different moments. */
const nothing = 0.1

/** Whether no worker of this thread has been active since the last check. */
function quietOfWorkers(): () => boolean {
  let activeBefore = 0
  return () => {
    let active = 0
    for (const { performance } of workers.keys()) active += performance.eventLoopUtilization().active
    const isQuiet = active - activeBefore < nothing
    activeBefore = active
    return isQuiet
  }
}

/**
 * Whether the thread has received nothing since the last check and has nothing left to do: no promise, no
 * task, no byte on a socket. Pending calls then wait for the other side.
 */
function quietOfThread(): () => boolean {
  const { nodeTiming } = performance
  let idleBefore = 0
  let eventsBefore = 0
  return () => {
    const { idle } = performance.eventLoopUtilization()
    const { events } = nodeTiming.uvMetricsInfo
    const isQuiet = idle > idleBefore && events === eventsBefore
    idleBefore = idle
    eventsBefore = events
    return isQuiet
  }
}

/**
 * For a test in accelerated time with hosts in its own thread. Time stands still while the thread, its
 * workers or the platform does work, so that nothing takes longer on a busy machine. Time flows while a host
 * or a worker holds back an answer. Time leaps while no call is pending and the test lets time pass. A worker
 * sends one message for each that it receives. Compression is not detected and counts as a pending answer.
 */
export function passingBetweenCalls(test: WorkContext, hosts: ReadonlySet<string>, mayLeap: () => boolean) {
  watchWork(test)
  const isQuiet = quietOfThread()
  const areWorkersQuiet = quietOfWorkers()
  return (): 'flows' | 'stands' | 'leaps' => {
    // all checks run every time, because each compares with its previous run
    const isIdle = [isQuiet(), areWorkersQuiet(), ![...givenAway.values()].some(isUnderWay)].every(Boolean)
    if (!isIdle) return 'stands'
    const isAwaited = isAsked(hosts) || [...workers.values()].some((open) => open > 0)
    return mayLeap() && !isAwaited ? 'leaps' : 'flows'
  }
}
