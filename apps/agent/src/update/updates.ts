import type { Clock } from '@pulse/domain'
import { backOffMs } from '../deliver/back-off.ts'
import { type Log, said } from '../log.ts'
import { BusyServer } from './busy-server.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** Who is busy for longer than that, some two hours, is no server of agents but something in front of it. */
const busyTries = 30
/** not all agents of a server at once, and not while it starts */
const firstMs = (random: () => number) => (2 + 3 * random()) * minuteMs

/**
 * Looks for a newer agent soon after the start and once a day. Only a server of our kind is asked: another product's agent
 * is called the same. Whether it is one shows with the first report it takes. A server that is busy is asked again soon.
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
      if (said(error) !== trouble) log.warn(`the agent was not updated: ${said(error)}`)
      trouble = said(error)
    }
    busy = 0
    again(dayMs + firstMs(random))
  }
}
