import type { Clock } from '@pulse/domain'

/** A timer that throws ends only itself, not the process. */
export const guardedClock = (clock: Clock, onError: (error: unknown) => void): Clock => ({
  now: () => clock.now(),
  monotonic: () => clock.monotonic(),
  after: (ms, run) =>
    clock.after(ms, () => {
      try {
        run()
      } catch (error) {
        onError(error)
      }
    }),
})
