import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import type { Maintenance } from '../db/database.ts'
import { createThrottle } from '../timing/throttle.ts'

const DELAY_MS = 2_000
const GAP_MS = 60_000

/**
 * Copies the whole database after a burst of writes, at most once a minute, in case the file is lost or
 * damaged. The copy is skipped when no important data has changed.
 */
export function keepCopy(renewCopy: Maintenance['renewCopy'], to: string, clock: Clock, log: Logger) {
  const copying = createThrottle({
    clock,
    delayMs: DELAY_MS,
    gapMs: GAP_MS,
    run: () => renewCopy(to, clock.now()),
    onError: (err) => log.error({ err, to }, 'cannot copy the database'),
  })
  return {
    changed: copying.call,
    /** Makes a pending copy. */
    stop: copying.flush,
  }
}
