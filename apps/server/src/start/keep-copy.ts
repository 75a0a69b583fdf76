import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import type { Database } from '../db/open.ts'

const SETTLE_MS = 2_000
/** A burst that goes on is copied once in this time. */
const LEAST_MS = 60_000

/**
 * After a burst of writes a whole copy of the database is put aside, for the day the file is lost or damaged. Writes
 * that change nothing an administrator would miss make none.
 */
export function keepCopy(db: Pick<Database, 'renewCopy'>, to: string, clock: Clock, log: Logger) {
  let cancel: (() => void) | undefined
  let nextAt = -Infinity
  async function copyNow() {
    cancel = undefined
    try {
      if (await db.renewCopy(to, clock.now())) nextAt = clock.monotonic() + LEAST_MS
    } catch (err) {
      log.error({ err, to }, 'the database could not be copied')
    }
  }
  return {
    changed() {
      cancel ??= clock.after(Math.max(SETTLE_MS, nextAt - clock.monotonic()), () => void copyNow())
    },
    /** What was not copied yet is. */
    async stop() {
      if (!cancel) return
      cancel()
      await copyNow()
    },
  }
}
