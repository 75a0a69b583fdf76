import type { InSteps } from '@pulse/domain'

/** Whoever else waits for the event loop has a turn between any two steps. */
export async function inTurns<T>(work: InSteps<T>): Promise<T> {
  let step = work.next()
  while (!step.done) {
    await new Promise<void>((resolve) => void setImmediate(resolve))
    step = work.next()
  }
  return step.value
}
