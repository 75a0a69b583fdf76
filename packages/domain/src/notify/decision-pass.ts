import type { ChannelPlan } from './channel-plan.ts'
import type { Episode } from './dispatch.ts'

/** Takes some milliseconds; then the step yields to the event loop. */
export const decisionsPerStep = 2_000

/** Decides all episodes again, in steps, after a change of settings, channels or the wall clock. */
export class DecisionPass {
  readonly #plans = new Set<ChannelPlan>()
  #episodes: Iterator<Episode> | undefined

  /** Restarts a running pass, because its earlier decisions used the old settings. */
  begin(plans: Iterable<ChannelPlan>, episodes: Iterable<Episode>): void {
    for (const plan of plans) this.#plans.add(plan)
    this.#episodes = [...episodes].values()
  }

  get isUnderWay(): boolean {
    return this.#episodes !== undefined
  }

  /** Whether this plan may still hold messages that the new settings would not send. */
  concerns(plan: ChannelPlan): boolean {
    return this.#plans.has(plan)
  }

  /** Returns the plans that this step completed. */
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
