import diagnostics from 'node:diagnostics_channel'

interface Call {
  host: string
}

const open = new Set<Call>()
diagnostics.subscribe('tracing:pulse:call:start', (message) => void open.add(message as Call))
diagnostics.subscribe('tracing:pulse:call:asyncEnd', (message) => void open.delete(message as Call))

/** Whether a call of this thread to one of the hosts waits for its answer. */
const isAsked = (hosts: ReadonlySet<string>): boolean => [...open].some(({ host }) => hosts.has(host))

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
 * For a test in accelerated time against hosts of its own thread: time stands while anything is being done, so that no
 * call takes longer on a busy machine. It flows while a host keeps an answer back, and leaps while nobody waits for one
 * and the test lets time pass.
 */
export function passingBetweenCalls(hosts: ReadonlySet<string>, mayLeap: () => boolean) {
  const isQuiet = quietOfThread()
  return (): 'flows' | 'stands' | 'leaps' => {
    if (!isQuiet()) return 'stands'
    return mayLeap() && !isAsked(hosts) ? 'leaps' : 'flows'
  }
}
