import { createHook } from 'node:async_hooks'
import diagnostics from 'node:diagnostics_channel'
import { Worker } from 'node:worker_threads'
import type { TestContext } from 'vitest'

interface Call {
  host: string
}

const open = new Set<Call>()
diagnostics.subscribe('tracing:pulse:call:start', (message) => void open.add(message as Call))
diagnostics.subscribe('tracing:pulse:call:asyncEnd', (message) => void open.delete(message as Call))

/** Whether a call of this thread to one of the hosts waits for its answer. */
const isAsked = (hosts: ReadonlySet<string>): boolean => [...open].some(({ host }) => hosts.has(host))

/** Hashing, files, names of hosts: work of this thread that others do, and that makes no event until it is done. */
const givenAway = new Map<number, object>()
const kinds = new Map<string, boolean>()
/** Asked for everything that begins anywhere, of which there are few kinds. */
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

/** What was done at once, as `generateKeyPairSync` does, waits for nothing; it ends when it is collected as garbage. */
const isUnderWay = (work: object) => ['ondone', 'oncomplete', 'promise'].some((key) => key in work)

function watchWork({ onTestFinished }: Pick<TestContext, 'onTestFinished'>) {
  if (watching++ === 0) watchOfWork.enable()
  onTestFinished(() => {
    if (--watching > 0) return
    watchOfWork.disable()
    givenAway.clear()
  })
}

/** The threads of this one, and how many questions each has not answered yet. */
const workers = new Map<Worker, number>()
const count = (worker: Worker, by: number) => workers.set(worker, (workers.get(worker) ?? 0) + by)
// A thread is reported after it was made, with its first call.
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

/** Of ms: what a thread is busy is read by two clocks, a moment apart. */
const nothing = 0.1

/** Whether no thread of this one's has done anything since it was asked last. */
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
 * Whether nothing has come to the thread since it was asked last, and it had nothing left to do: no promise, no slice of
 * work, no byte on a socket. Then whatever is still under way is kept back by the other side.
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
 * For a test in accelerated time against hosts of its own thread: time stands while anything is being done, by the
 * thread, by others for it or by a thread of its own, so that nothing takes longer on a busy machine. It flows while a
 * host or a thread of its own keeps an answer back, and leaps while no caller waits for one and the test lets time pass.
 * A thread gives one message for each that it gets. Compressing is not seen: it counts as an answer kept back.
 */
export function passingBetweenCalls(
  test: Pick<TestContext, 'onTestFinished'>,
  hosts: ReadonlySet<string>,
  mayLeap: () => boolean,
) {
  watchWork(test)
  const isQuiet = quietOfThread()
  const areWorkersQuiet = quietOfWorkers()
  return (): 'flows' | 'stands' | 'leaps' => {
    // each is asked every time, because each compares with the time before
    const isIdle = [isQuiet(), areWorkersQuiet(), ![...givenAway.values()].some(isUnderWay)].every(Boolean)
    if (!isIdle) return 'stands'
    const isAwaited = isAsked(hosts) || [...workers.values()].some((open) => open > 0)
    return mayLeap() && !isAwaited ? 'leaps' : 'flows'
  }
}
