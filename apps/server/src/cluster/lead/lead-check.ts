import type { Clock } from '@pulse/domain'
import { pause } from '../../timing/pause.ts'

/**
 * A call waits for the database in steps, for two seconds. However long the process is stopped meanwhile, that is no more than
 * a step: the database could not answer.
 */
const stepMs = 100
const mostSteps = 20
/** A database that does not answer is not asked for each call. */
const askAgainMs = 5_000

interface LeadCheckEdges {
  clock: Pick<Clock, 'after' | 'monotonic'>
  /** This process leads, as far as it knows, but another one may have begun to. */
  isInDoubt: () => boolean
  /** Asks the database. It rejects if another process leads, which ends the lead of this one, and if it does not answer. */
  confirm: () => Promise<unknown>
}

/**
 * Makes a process find out that it does not lead any more before it answers from its memory, for example after it was
 * stopped for a while. Resolves when it is as clear as it can be: without the database, it goes on.
 */
export function createLeadCheck({ clock, isInDoubt, confirm }: LeadCheckEdges): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  let askFrom = -Infinity
  const mustAsk = () => isInDoubt() && clock.monotonic() >= askFrom

  async function ask(before: Promise<void>) {
    await before
    next = undefined
    let answer: Promise<boolean> | undefined
    for (let step = 0; mustAsk(); step++) {
      answer ??= confirm().then(
        () => true,
        // the database has reported it
        () => false,
      )
      const ended = new AbortController()
      const over = pause(clock, stepMs, ended.signal)
      const isConfirmed = await Promise.race([answer, over.then(() => undefined)])
      if (isConfirmed || !isInDoubt()) return ended.abort()
      // a connection that has ended is another one soon
      if (isConfirmed === false) answer = undefined
      await over
      if (step === mostSteps - 1) askFrom = clock.monotonic() + askAgainMs
    }
  }

  return async () => {
    if (!mustAsk()) return
    // An answer to an earlier question may be older than this call: the process may have been stopped since.
    last = next ??= ask(last)
    await last
  }
}
