import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

/** As long as this it works at a time. Then it rests for as long, so that the rest of Pulse and the collection of garbage keep up. */
const workMs = 10

/** Does the steps of some work, and lets the thread answer other requests between them. Undefined: it was ended early. */
export async function inSlices<T>(work: Generator<void, T>, isEnded: () => boolean): Promise<T | undefined> {
  let workedMs = 0
  while (!isEnded()) {
    const from = performance.now()
    const step = work.next()
    if (step.done) return step.value
    workedMs += performance.now() - from
    await (workedMs < workMs ? nextTurn() : pause(workedMs))
    if (workedMs >= workMs) workedMs = 0
  }
  return undefined
}
