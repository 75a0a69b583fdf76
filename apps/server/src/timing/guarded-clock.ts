import type { Clock } from '@pulse/domain'

/** A timer that throws ends itself, not the process with everything that it watches. */
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
