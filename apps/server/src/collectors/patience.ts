import type { Clock } from '@pulse/domain'

/** What comes so late was held up with everything else: the process was stopped, or the machine slept. */
const heldUpMs = 10_000
/** For those who could not be asked meanwhile: so long their silence is not held against them. */
const graceMs = 5_000

export interface Patience {
  /** The same clock, that notices when its timers are held up. */
  clock: Clock
  /** The moment by which it is judged whether what is known has grown old. */
  judged(): number
}

/** After a long hold-up all sources seem silent at once, although nobody asked them. They get a moment to answer. */
export function createPatience(clock: Clock): Patience {
  let heldMs = 0
  let until = -Infinity
  /** all hold-ups so far */
  let heldInAllMs = 0

  /** After a sleep every timer that was set before it runs late, if in an hour: the first one has told that already. */
  function look(dueAt: number, toldMs: number) {
    const now = clock.monotonic()
    const lateMs = now - dueAt - (heldInAllMs - toldMs)
    if (lateMs < heldUpMs) return
    heldInAllMs += lateMs
    heldMs = Math.max(now < until ? heldMs : 0, lateMs)
    until = now + graceMs
  }

  return {
    clock: {
      ...clock,
      after(ms, run) {
        const dueAt = clock.monotonic() + Math.max(0, ms)
        const toldMs = heldInAllMs
        return clock.after(ms, () => {
          look(dueAt, toldMs)
          run()
        })
      },
    },
    judged() {
      const now = clock.monotonic()
      return now < until ? now - heldMs : now
    },
  }
}
