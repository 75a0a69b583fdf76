import diagnostics from 'node:diagnostics_channel'

interface Call {
  origin?: string | URL
}

const open = new Map<Call, string>()
const callOf = (message: unknown) => (message as { request: Call }).request

diagnostics.subscribe('undici:request:create', (message) => {
  const call = callOf(message)
  open.set(call, new URL(String(call.origin)).hostname)
})
for (const end of ['undici:request:trailers', 'undici:request:error'])
  diagnostics.subscribe(end, (message) => void open.delete(callOf(message)))

/** Whether a call of this thread to one of the hosts waits for its answer. */
export const isAsked = (hosts: ReadonlySet<string>): boolean =>
  [...open.values()].some((host) => hosts.has(host))

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
