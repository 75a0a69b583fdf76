import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'

/** A service supervisor kills the process a few seconds later. */
const TOGETHER_MS = 4_500
/** Granted to each area, however long the others took. */
const LEAST_MS = 150

interface Stoppable {
  name: string
  stop?: () => void | Promise<void>
}

/**
 * Stops the areas in reverse order and independently: an area that fails or exceeds its time is logged and
 * does not block the others.
 */
export async function stopInReverse(
  areas: readonly Stoppable[],
  { clock, log, togetherMs = TOGETHER_MS }: { clock: Clock; log: Logger; togetherMs?: number },
): Promise<void> {
  const waiting = areas.filter(({ stop }) => stop)
  const endsAt = clock.monotonic() + togetherMs
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const leftMs = endsAt - clock.monotonic() - waiting.length * LEAST_MS
    await stopOne(next, Math.max(LEAST_MS, leftMs), { clock, log })
  }
}

async function stopOne(
  { name, stop }: Stoppable,
  limitMs: number,
  { clock, log }: { clock: Clock; log: Logger },
): Promise<void> {
  let cancel = () => {}
  const late = new Promise<'late'>((resolve) => {
    cancel = clock.after(limitMs, () => resolve('late'))
  })
  try {
    const outcome = await Promise.race([Promise.resolve().then(stop), late])
    if (outcome === 'late') log.error(`${name} did not stop within ${limitMs} ms; Pulse stops without it`)
  } catch (error) {
    log.error({ err: error }, `${name} did not stop cleanly; Pulse stops anyway`)
  } finally {
    cancel()
  }
}
