import { type PmgQueueShape, queueAges } from './schema.ts'

const minute = 60_000

/**
 * When the oldest mail of a queue came in. A look tells a bracket of ages only; while the same mail may still be the
 * oldest, each look narrows it, so that the moment stays where it is instead of moving with every look.
 */
export class OldestMail {
  #after = -Infinity
  #before = Infinity

  /** `at` is when it was looked. undefined: the queue is empty. */
  look({ ages }: Pick<PmgQueueShape, 'ages'>, at: number): number | undefined {
    const bracket = ages.findLastIndex((count) => count > 0)
    if (bracket < 0) {
      this.#after = -Infinity
      this.#before = Infinity
      return undefined
    }
    const age = queueAges[bracket]
    const after = age === undefined ? -Infinity : at - age * minute
    const before = at - (queueAges[bracket - 1] ?? 0) * minute
    const isSame = after < this.#before && before > this.#after
    this.#after = isSame ? Math.max(this.#after, after) : after
    this.#before = isSame ? Math.min(this.#before, before) : before
    // Older than the start of the last bracket; how much older is unknown.
    return this.#after === -Infinity ? this.#before : this.#after
  }
}
