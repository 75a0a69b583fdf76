import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import type { Database } from '../db/open.ts'

const SETTLE_MS = 2_000

/** After every burst of writes a whole copy of the database is put aside, for the day the file is damaged. */
export function keepCopy(db: Database, to: string, clock: Clock, log: Logger) {
  let cancel: (() => void) | undefined
  return {
    changed() {
      cancel?.()
      cancel = clock.after(SETTLE_MS, () => {
        cancel = undefined
        db.backup(to).catch((err: unknown) => log.error({ err, to }, 'the database could not be copied'))
      })
    },
    stop() {
      cancel?.()
    },
  }
}
