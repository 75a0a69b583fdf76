import type { Logger } from 'pino'

export type Guard = (what: string, run: () => void) => void

/** What fails for one client or one tick is logged and ends there: the process watches for everybody else. */
export const createGuard =
  (log: Logger): Guard =>
  (what, run) => {
    try {
      run()
    } catch (error) {
      log.error({ err: error }, `${what} failed; live connections stay open`)
    }
  }
