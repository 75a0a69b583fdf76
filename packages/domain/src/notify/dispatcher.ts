import type { AlertConfig } from '@pulse/contract'
import type { Moment } from '../alerts/condition.ts'
import type { AlertChange } from '../alerts/stored.ts'
import { ChannelPlan } from './channel-plan.ts'
import type { Explanation } from './explain.ts'
import { mostSevereFirst } from './batch.ts'
import { DecisionPass, decisionsPerStep } from './decision-pass.ts'
import { Episodes, isEnd, isReminded } from './episodes.ts'
import type {
  ChannelInfo,
  Dispatch,
  DispatchItem,
  Ending,
  Episode,
  LedgerChanges,
  NotificationLogEntry,
  RestoredNotices,
} from './dispatch.ts'
import type { Waiting } from './waits.ts'

/** A smaller change of the wall clock changes no decision. */
const noticeableMs = 1_000
/** Changes that alone are no reason to send a message. */
const mayBeSame: ReadonlySet<AlertChange['what']> = new Set(['refreshed', 'reminded', 'escalated'])

/**
 * Decides which message goes to which channel, and when, from the changes of alerts, the gates and the
 * grouping. It records the messages sent to each channel, so it always has the list of those left to send,
 * even after a restart.
 */
export class Dispatcher {
  readonly #episodes = new Episodes()
  readonly #plans = new Map<string, ChannelPlan>()
  #config: AlertConfig
  #offset: number
  readonly #pass = new DecisionPass()

  constructor(
    config: AlertConfig,
    channels: readonly ChannelInfo[],
    { open, log, endOf, underWay, sent }: RestoredNotices,
    moment: Moment,
  ) {
    this.#config = config
    this.#offset = moment.now - moment.monotonic
    for (const info of channels) this.#plans.set(info.id, new ChannelPlan(info))
    for (const stored of open) this.#episodes.open(stored, moment, true)
    const toMonotonic = (at: number) => moment.monotonic - Math.max(0, moment.now - at)
    const known = (one: Pick<DispatchItem, 'episode' | 'alert' | 'source'>) =>
      this.#episodes.get(one.episode) ??
      this.#episodes.addEnded(one, endOf(one.episode) ?? { at: moment.now }, moment)
    for (const one of log) {
      known(one)
      this.#plans.get(one.channelId)?.log.put({ ...one, monotonicAt: toMonotonic(one.at) })
    }
    for (const { channelId, items } of underWay)
      for (const item of items) this.#plans.get(channelId)?.adopt(known(item))
    for (const { channelId, at, ...message } of sent)
      this.#plans.get(channelId)?.noteMessage(message, toMonotonic(at))
    for (const episode of this.#episodes.all()) this.#decide(this.#plans.values(), episode, moment)
    for (const plan of this.#plans.values()) plan.resumeWindow(this.#settings(moment))
  }

  apply(changes: readonly AlertChange[], moment: Moment): void {
    this.#followWall(moment)
    const refreshed: Episode[] = []
    for (const change of changes) {
      const { stored } = change
      const known = this.#episodes.get(stored.episode)
      const before = known?.flapping?.wallUntil
      const wasReminded = known && isReminded(known)
      const episode = isEnd(change)
        ? this.#episodes.end(stored, change.at, moment)
        : this.#episodes.open(stored, moment)
      const isSame =
        mayBeSame.has(change.what) && before === stored.flappingUntil && wasReminded === isReminded(stored)
      if (!episode || isSame) continue
      if (change.what === 'refreshed') refreshed.push(episode)
      else this.#decide(this.#plans.values(), episode, moment)
    }
    // One answer may move thousands of figures below their triggers.
    if (refreshed.length * this.#plans.size > decisionsPerStep) this.#decideAgain()
    else for (const episode of refreshed) this.#decide(this.#plans.values(), episode, moment)
    // the alerts that filled the queue ended without a message
    for (const plan of this.#plans.values()) if (plan.waiting === 0) this.#useRoom(plan, moment)
  }

  /** `step` applies the settings to each episode. */
  configure(config: AlertConfig): void {
    this.#config = config
    this.#decideAgain()
  }

  /** Decides some episodes after a change of settings, channels or the wall clock. */
  step(moment: Moment): void {
    const decided = this.#pass.step((plans, episode) => {
      if (this.#episodes.get(episode.id) === episode) this.#decide(plans, episode, moment)
    })
    for (const plan of decided) plan.shortenWindow(this.#settings(moment))
  }

  /** While true, `take` returns nothing for channels with undecided episodes. */
  get isBusy(): boolean {
    return this.#pass.isUnderWay
  }

  /** Sets the configured channels. `step` decides the messages of new and enabled ones. */
  setChannels(channels: readonly ChannelInfo[]): LedgerChanges {
    const ids = new Set(channels.map(({ id }) => id))
    const remove: LedgerChanges['remove'][number][] = []
    for (const [id, plan] of this.#plans) {
      if (ids.has(id)) continue
      this.#plans.delete(id)
      for (const { episode, channelId } of plan.log.all()) remove.push({ episode, channelId })
    }
    for (const info of channels) {
      const plan = this.#plans.get(info.id)
      if (plan) plan.info = info
      else this.#plans.set(info.id, new ChannelPlan(info))
    }
    this.#decideAgain()
    return { put: [], remove: [...remove, ...this.drain().remove] }
  }

  /** The settings of the channel changed, so `step` decides again about given-up messages. */
  forgive(channelId: string): void {
    const plan = this.#plans.get(channelId)
    if (!plan) return
    plan.forgiveFailures()
    this.#decideAgain([plan])
  }

  /** Decides the episodes that are due. */
  due(moment: Moment): void {
    this.#followWall(moment)
    for (const plan of this.#plans.values())
      for (let at = plan.due.nextAt(); at !== undefined && at <= moment.monotonic; at = plan.due.nextAt()) {
        const episode = this.#episodes.get(plan.due.take()!)
        if (!episode) continue
        this.#decideOn(plan, episode, moment)
        this.#forgetDone(episode)
      }
  }

  /** Monotonic; when the next episode is due, or the next window ends. */
  nextDue(after: number): number | undefined {
    let next = Infinity
    for (const { due, windowEndsAt } of this.#plans.values()) {
      next = Math.min(next, due.nextAt() ?? Infinity)
      if (windowEndsAt !== undefined && windowEndsAt > after) next = Math.min(next, windowEndsAt)
    }
    return next === Infinity ? undefined : next
  }

  /** Messages to send to this channel now. The caller reports the result with `finish`. */
  take(channelId: string, moment: Moment, asOne = false): Dispatch[] {
    const plan = this.#plans.get(channelId)
    if (!plan || this.#pass.concerns(plan)) return []
    const dispatches = plan.take(this.#settings(moment), asOne)
    if (dispatches.length > 0) this.#useRoom(plan, moment)
    return dispatches
  }

  /**
   * Before a retry: the items that still have to be sent, with their current state. The others are decided
   * again.
   */
  review(dispatch: Dispatch, moment: Moment): DispatchItem[] {
    const plan = this.#plans.get(dispatch.channelId)
    if (!plan) return []
    const settings = this.#settings(moment)
    const isKept = ({ episode: id }: DispatchItem) => {
      const episode = this.#episodes.get(id)
      return episode !== undefined && plan.mayGo(episode, dispatch.kind, settings)
    }
    const { kept = [], dropped = [] } = Object.groupBy(dispatch.items, (item) =>
      isKept(item) ? 'kept' : 'dropped',
    )
    this.#conclude({ ...dispatch, items: dropped }, 'kept', moment)
    if (dispatch.kind === 'resolved') return kept
    const current = kept.map((item) => ({
      ...item,
      alert: this.#episodes.get(item.episode)?.alert ?? item.alert,
    }))
    return mostSevereFirst(current, ({ alert }) => alert)
  }

  /** An administrator sends the message again. */
  adopt({ channelId, items }: Dispatch, moment: Moment): void {
    const plan = this.#plans.get(channelId)
    for (const item of items)
      plan?.adopt(
        this.#episodes.get(item.episode) ??
          this.#episodes.addEnded(item, { at: item.endedAt ?? moment.now }, moment),
      )
  }

  finish(dispatch: Dispatch, ending: Ending, moment: Moment): LedgerChanges {
    const put = this.#conclude(dispatch, ending, moment)
    return { put, remove: this.drain().remove }
  }

  /** Log entries that are no longer needed. */
  drain(): LedgerChanges {
    const remove = [...this.#plans.values()].flatMap(({ log }) => log.takeRemoved())
    return { put: [], remove }
  }

  waiting(channelId: string): number {
    return this.#plans.get(channelId)?.waiting ?? 0
  }

  get overflowed(): number {
    return [...this.#plans.values()].reduce((sum, { overflowed }) => sum + overflowed, 0)
  }

  /** The state of an alert on each channel, in words. */
  explain(alertId: string, moment: Moment): (Explanation & { channel: string })[] {
    return [...this.#plans.values()].flatMap((plan) =>
      [...this.#episodes.of(alertId)].flatMap((episode) =>
        plan.explain(episode, this.#settings(moment)).map((found) => ({ channel: plan.info.name, ...found })),
      ),
    )
  }

  /** Messages still to be sent to a channel, by reason for waiting. */
  pending(channelId: string, moment: Moment): Waiting[] {
    return this.#plans.get(channelId)?.pending(this.#settings(moment)) ?? []
  }

  get size(): { episodes: number } {
    return { episodes: this.#episodes.size }
  }

  /** Returns the log entries to store; `drain` returns those to remove. */
  #conclude(
    { channelId, kind, items, sources }: Dispatch,
    ending: Ending,
    moment: Moment,
  ): NotificationLogEntry[] {
    const plan = this.#plans.get(channelId)
    const alertIds = items.map(({ alert }) => alert.id)
    if (ending === 'delivered')
      plan?.noteMessage({ alertIds, sources, isEscalation: kind === 'escalated' }, moment.monotonic)
    const put = plan ? items.flatMap((item) => plan.finish(item, kind, ending, moment) ?? []) : []
    // the result affects this channel only
    for (const { alert } of items)
      for (const episode of this.#episodes.of(alert.id)) {
        if (plan) this.#decideOn(plan, episode, moment)
        this.#forgetDone(episode)
      }
    return put.filter(({ episode }) => plan?.log.has(episode))
  }

  #settings(moment: Moment) {
    return { config: this.#config, moment }
  }

  /** A change of the wall clock shifts quiet hours. */
  #followWall(moment: Moment): void {
    const offset = moment.now - moment.monotonic
    if (Math.abs(offset - this.#offset) < noticeableMs) return
    this.#offset = offset
    this.#decideAgain()
  }

  #useRoom(plan: ChannelPlan, moment: Moment): void {
    if (!plan.lackedRoom()) return
    for (const episode of mostSevereFirst([...this.#episodes.all()], ({ alert }) => alert))
      this.#decideOn(plan, episode, moment)
  }

  /** In steps, because deciding thousands of alerts for all channels would block the event loop. */
  #decideAgain(plans: Iterable<ChannelPlan> = this.#plans.values()): void {
    this.#pass.begin(plans, this.#episodes.all())
  }

  #decide(plans: Iterable<ChannelPlan>, episode: Episode, moment: Moment): void {
    for (const plan of plans) this.#decideOn(plan, episode, moment)
    this.#forgetDone(episode)
  }

  #forgetDone(episode: Episode): void {
    if (!episode.ended) return
    for (const plan of this.#plans.values()) if (plan.log.has(episode.id) || plan.isBusyWith(episode)) return
    this.#episodes.forget(episode)
  }

  /** The end of one episode may release another one of the same alert. */
  #decideOn(plan: ChannelPlan, episode: Episode, moment: Moment): void {
    const settings = this.#settings(moment)
    const siblings = [...this.#episodes.of(episode.alert.id)]
    plan.decide(episode, siblings, settings)
    if (!episode.ended) return
    for (const other of siblings)
      if (other !== episode && !other.ended) plan.decide(other, siblings, settings)
  }
}
