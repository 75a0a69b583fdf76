import type { Clock } from '@pulse/domain'
import { Budget } from '../../polling/budget.ts'

const CALLS = 'slow'
/** Of one node, whichever parts ask: its few workers have others to answer too. */
const mostUnderWay = 4

/** Questions to one node that take it long. They are no part of the budget by the minute: few are under way at a time. */
export class SlowLooks {
  readonly #calls: Budget
  #underWay = 0

  constructor(clock: Clock) {
    this.#calls = new Budget(clock)
    this.#calls.limit(CALLS, Infinity)
  }

  /** Whether one more may go out; it is counted then, and has to be left. */
  enter(): boolean {
    if (this.#underWay >= mostUnderWay) return false
    this.#underWay++
    this.#calls.take(CALLS)
    return true
  }

  leave(): void {
    this.#underWay--
  }

  /** Calls of the last minute. */
  count(): number {
    return this.#calls.count(CALLS)
  }
}
