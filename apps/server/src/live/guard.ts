import type { Logger } from 'pino'

export type Guard = (what: string, run: () => void) => void

/** Logs a failure of one client or one tick. The process continues to serve all other clients. */
export const createGuard =
  (log: Logger): Guard =>
  (what, run) => {
    try {
      run()
    } catch (error) {
      log.error({ err: error }, `${what} failed; live connections stay open`)
    }
  }
