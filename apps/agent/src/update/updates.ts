import type { Clock } from '@pulse/domain'
import { backOffMs, BusyServer } from '../deliver/backoff.ts'
import { type Log, errorText } from '../log.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** About two hours. A server that is busy for longer is not Pulse, but a program in front of it. */
const busyTries = 30
/** spreads the agents of a server, and gives it time to start */
const firstMs = (random: () => number) => (2 + 3 * random()) * minuteMs

/**
 * Looks for a newer agent soon after the start and then once a day. Asks only Pulse servers, because another
 * product's agent has the same name; the first accepted report identifies the server. A busy server is asked
 * again soon.
 */
export function lookForUpdates(
  clock: Clock,
  log: Log,
  random: () => number,
  isOurs: () => boolean,
  update: () => Promise<void>,
): void {
  let trouble = ''
  let busy = 0
  clock.after(firstMs(random), () => void turn())

  async function turn(): Promise<void> {
    const again = (ms: number) => void clock.after(ms, () => void turn())
    if (!isOurs()) return again(10 * minuteMs)
    try {
      await update()
      trouble = ''
    } catch (error) {
      const isBusy = error instanceof BusyServer
      if (isBusy && ++busy < busyTries) return again(backOffMs(busy, error.retryAfterMs, random))
      if (errorText(error) !== trouble) log.warn(`the agent was not updated: ${errorText(error)}`)
      trouble = errorText(error)
    }
    busy = 0
    again(dayMs + firstMs(random))
  }
}
