import type { Clock } from '@pulse/domain'
import { type Log, said } from '../log.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** not all agents of a server at once, and not while it starts */
const firstMs = (random: () => number) => (2 + 3 * random()) * minuteMs

/**
 * Looks for a newer agent soon after the start and once a day. Only a server of our kind is asked: another product's agent
 * is called the same. Whether it is one shows with the first report it takes.
 */
export function lookForUpdates(
  clock: Clock,
  log: Log,
  random: () => number,
  isOurs: () => boolean,
  update: () => Promise<void>,
): void {
  let trouble = ''
  clock.after(firstMs(random), () => void turn())

  async function turn(): Promise<void> {
    if (!isOurs()) return void clock.after(10 * minuteMs, () => void turn())
    await update().then(
      () => (trouble = ''),
      (error: unknown) => {
        if (said(error) !== trouble) log.warn(`this agent stays as it is: ${said(error)}`)
        trouble = said(error)
      },
    )
    clock.after(dayMs + firstMs(random), () => void turn())
  }
}
