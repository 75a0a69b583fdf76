import diagnostics from 'node:diagnostics_channel'

interface Call {
  host: string
}

const open = new Set<Call>()
diagnostics.subscribe('tracing:pulse:call:start', (message) => void open.add(message as Call))
diagnostics.subscribe('tracing:pulse:call:asyncEnd', (message) => void open.delete(message as Call))

/** Whether a call of this thread to one of the hosts waits for its answer. */
export const isAsked = (hosts: ReadonlySet<string>): boolean => [...open].some(({ host }) => hosts.has(host))

/** Whether the thread had nothing to do for a moment since it was asked last: no promise, no slice of work is left over. */
export function sleepOfThread(): () => boolean {
  let before = 0
  return () => {
    const { idle } = performance.eventLoopUtilization()
    const slept = idle > before
    before = idle
    return slept
  }
}
