import type { ChannelPlan } from './channel-plan.ts'
import type { Episode } from './dispatch.ts'

/** Before others have their turn: some milliseconds. */
export const decisionsPerStep = 2_000

/** What is to be decided anew, by other settings, ways out or wall clock: some of it in each step. */
export class DecisionPass {
  readonly #plans = new Set<ChannelPlan>()
  #episodes: Iterator<Episode> | undefined

  /** Also what has been decided in the pass that is under way: its grounds are others now. */
  begin(plans: Iterable<ChannelPlan>, episodes: Iterable<Episode>): void {
    for (const plan of plans) this.#plans.add(plan)
    this.#episodes = [...episodes].values()
  }

  get isUnderWay(): boolean {
    return this.#episodes !== undefined
  }

  /** Whether something may be sent there that is not sent any more by what is in force now. */
  concerns(plan: ChannelPlan): boolean {
    return this.#plans.has(plan)
  }

  /** The plans for which everything has been decided with it. */
  step(decide: (plans: Iterable<ChannelPlan>, episode: Episode) => void): readonly ChannelPlan[] {
    const most = Math.max(1, Math.floor(decisionsPerStep / Math.max(1, this.#plans.size)))
    for (let count = 0; count < most && this.#episodes; count++) {
      const { done, value: episode } = this.#episodes.next()
      if (!done) decide(this.#plans, episode)
      else this.#episodes = undefined
    }
    if (this.#episodes) return []
    const decided = [...this.#plans]
    this.#plans.clear()
    return decided
  }
}
