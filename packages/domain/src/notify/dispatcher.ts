import type { AlertConfig } from '@pulse/contract'
import type { Moment } from '../alerts/condition.ts'
import type { AlertChange, StoredAlert } from '../alerts/stored.ts'
import { ChannelPlan } from './channel-plan.ts'
import type { Explanation } from './explain.ts'
import { mostSevereFirst } from './batch.ts'
import { DecisionPass } from './decision-pass.ts'
import { Episodes, isOver, isReminded } from './episodes.ts'
import type {
  ChannelInfo,
  Dispatch,
  DispatchItem,
  Ending,
  Episode,
  EpisodeEnd,
  LedgerChanges,
  SourceShare,
  NotificationLogEntry,
} from './dispatch.ts'
import type { Waiting } from './waits.ts'

/** A wall clock that is set by less than that changes no decision. */
const noticeableMs = 1_000
/** Changes that by themselves are no reason to send something. */
const mayBeSame: ReadonlySet<AlertChange['what']> = new Set(['refreshed', 'reminded', 'escalated'])

export interface RestoredNotices {
  open: readonly StoredAlert[]
  log: readonly NotificationLogEntry[]
  /** of an episode that is not open, where that is known */
  endOf: (episode: string) => EpisodeEnd | undefined
  /** what was being sent */
  underWay: readonly Dispatch[]
  /** what was sent within the last hour; epoch ms */
  sent: readonly {
    channelId: string
    isEscalation: boolean
    alertIds: readonly string[]
    sources: readonly SourceShare[]
    at: number
  }[]
}

/**
 * Decides what is sent to whom, and when: from what becomes of alerts, by the gates, group by group. It keeps what each
 * way out was told, and therefore knows at any time, also after a restart, what it still owes.
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
      this.#episodes.over(one, endOf(one.episode) ?? { at: moment.now }, moment)
    for (const one of log) {
      known(one)
      this.#plans.get(one.channelId)?.remember({ ...one, monotonicAt: toMonotonic(one.at) })
    }
    for (const { channelId, items } of underWay)
      for (const item of items) this.#plans.get(channelId)?.adopt(known(item))
    for (const { channelId, at, ...message } of sent)
      this.#plans.get(channelId)?.noteMessage(message, toMonotonic(at))
    for (const episode of this.#episodes.all()) this.#decide(this.#plans.values(), episode, moment)
    for (const plan of this.#plans.values()) plan.resumeWindow(this.#settings(moment))
  }

  /** What became of alerts. */
  apply(changes: readonly AlertChange[], moment: Moment): void {
    this.#followWall(moment)
    for (const change of changes) {
      const { stored } = change
      const known = this.#episodes.get(stored.episode)
      const before = known?.flapping?.told
      const wasReminded = known && isReminded(known)
      const episode = isOver(change)
        ? this.#episodes.end(stored, change.at, moment)
        : this.#episodes.open(stored, moment)
      const isSame =
        mayBeSame.has(change.what) && before === stored.flappingUntil && wasReminded === isReminded(stored)
      if (episode && !isSame) this.#decide(this.#plans.values(), episode, moment)
    }
    // all that took the room has gone without being sent
    for (const plan of this.#plans.values()) if (plan.waiting === 0) this.#useRoom(plan, moment)
  }

  /** What they mean for each episode is decided by `step`. */
  configure(config: AlertConfig): void {
    this.#config = config
    this.#decideAnew()
  }

  /** Some of what is to be decided by other settings, ways out or wall clock. */
  step(moment: Moment): void {
    const decided = this.#pass.step((plans, episode) => {
      if (this.#episodes.get(episode.id) === episode) this.#decide(plans, episode, moment)
    })
    for (const plan of decided) plan.shortenWindow(this.#settings(moment))
  }

  /** A way out that `step` still has to decide about is given nothing. */
  get isBusy(): boolean {
    return this.#pass.isUnderWay
  }

  /** The ways out there are. What one that is new, or on again, was never told is decided by `step`. */
  setChannels(channels: readonly ChannelInfo[]): LedgerChanges {
    const ids = new Set(channels.map(({ id }) => id))
    const remove: LedgerChanges['remove'][number][] = []
    for (const [id, plan] of this.#plans) {
      if (ids.has(id)) continue
      this.#plans.delete(id)
      for (const { episode, channelId } of plan.logEntries()) remove.push({ episode, channelId })
    }
    for (const info of channels) {
      const plan = this.#plans.get(info.id)
      if (plan) plan.info = info
      else this.#plans.set(info.id, new ChannelPlan(info))
    }
    this.#decideAnew()
    return { put: [], remove: [...remove, ...this.drain().remove] }
  }

  /** Its settings are others: what was given up is tried anew, as `step` decides. */
  forgive(channelId: string): void {
    const plan = this.#plans.get(channelId)
    if (!plan) return
    plan.forgiveFailures()
    this.#decideAnew([plan])
  }

  /** What has fallen due by now is decided about. */
  due(moment: Moment): void {
    this.#followWall(moment)
    for (const plan of this.#plans.values()) {
      for (let at = plan.due.nextAt(); at !== undefined && at <= moment.monotonic; at = plan.due.nextAt()) {
        const episode = this.#episodes.get(plan.due.take()!)
        if (!episode) continue
        this.#decideOn(plan, episode, moment)
        this.#forgetDone(episode)
      }
      plan.prune(moment)
    }
  }

  /** Monotonic; when something falls due, or a window ends, after that moment. */
  nextDue(after: number): number | undefined {
    let next = Infinity
    for (const { due, windowEndsAt } of this.#plans.values()) {
      next = Math.min(next, due.nextAt() ?? Infinity)
      if (windowEndsAt !== undefined && windowEndsAt > after) next = Math.min(next, windowEndsAt)
    }
    return next === Infinity ? undefined : next
  }

  /** What is to go to this way out now; whoever takes it says how it ended. */
  take(channelId: string, moment: Moment, asOne = false): Dispatch[] {
    const plan = this.#plans.get(channelId)
    if (!plan || this.#pass.concerns(plan)) return []
    const dispatches = plan.take(this.#settings(moment), asOne)
    if (dispatches.length > 0) this.#useRoom(plan, moment)
    return dispatches
  }

  /** Before another try: what of it is still to be sent, as it is now. The rest is decided about anew. */
  review(dispatch: Dispatch, moment: Moment): DispatchItem[] {
    const plan = this.#plans.get(dispatch.channelId)
    if (!plan) return []
    const settings = this.#settings(moment)
    const isKept = ({ episode: id }: DispatchItem) => {
      const episode = this.#episodes.get(id)
      return episode !== undefined && plan.mayGo(episode, dispatch.kind, settings)
    }
    const { kept = [], gone = [] } = Object.groupBy(dispatch.items, (item) =>
      isKept(item) ? 'kept' : 'gone',
    )
    this.#settle({ ...dispatch, items: gone }, 'kept', moment)
    if (dispatch.kind === 'resolved') return kept
    const current = kept.map((item) => ({
      ...item,
      alert: this.#episodes.get(item.episode)?.alert ?? item.alert,
    }))
    return mostSevereFirst(current, ({ alert }) => alert)
  }

  /** It is being sent again by hand. */
  adopt({ channelId, items }: Dispatch, moment: Moment): void {
    const plan = this.#plans.get(channelId)
    for (const item of items)
      plan?.adopt(
        this.#episodes.get(item.episode) ??
          this.#episodes.over(item, { at: item.endedAt ?? moment.now }, moment),
      )
  }

  finish(dispatch: Dispatch, ending: Ending, moment: Moment): LedgerChanges {
    const put = this.#settle(dispatch, ending, moment)
    return { put, remove: this.drain().remove }
  }

  /** What need not be kept any more. */
  drain(): LedgerChanges {
    const remove = [...this.#plans.values()].flatMap(({ forgotten }) => forgotten.splice(0))
    return { put: [], remove }
  }

  waiting(channelId: string): number {
    return this.#plans.get(channelId)?.waiting ?? 0
  }

  get overflowed(): number {
    return [...this.#plans.values()].reduce((sum, { overflowed }) => sum + overflowed, 0)
  }

  /** How it stands with an alert on each way out, in words. */
  explain(alertId: string, moment: Moment): (Explanation & { channel: string })[] {
    return [...this.#plans.values()].flatMap((plan) =>
      [...this.#episodes.of(alertId)].flatMap((episode) =>
        plan.explain(episode, this.#settings(moment)).map((found) => ({ channel: plan.info.name, ...found })),
      ),
    )
  }

  /** What is still to be sent to a channel, by what it waits for. */
  pending(channelId: string, moment: Moment): Waiting[] {
    return this.#plans.get(channelId)?.pending(this.#settings(moment)) ?? []
  }

  get size(): { episodes: number } {
    return { episodes: this.#episodes.size }
  }

  /** What is to be kept of it. What need not be any more is left to `drain`. */
  #settle(
    { channelId, kind, items, sources }: Dispatch,
    ending: Ending,
    moment: Moment,
  ): NotificationLogEntry[] {
    const plan = this.#plans.get(channelId)
    const alertIds = items.map(({ alert }) => alert.id)
    if (ending === 'delivered')
      plan?.noteMessage({ alertIds, sources, isEscalation: kind === 'escalated' }, moment.monotonic)
    const put = plan ? items.flatMap((item) => plan.finish(item, kind, ending, moment) ?? []) : []
    // what became of it matters to this way out alone
    for (const { alert } of items)
      for (const episode of this.#episodes.of(alert.id)) {
        if (plan) this.#decideOn(plan, episode, moment)
        this.#forgetDone(episode)
      }
    return put.filter(({ episode }) => plan?.tells(episode))
  }

  #settings(moment: Moment) {
    return { config: this.#config, moment }
  }

  /** Whoever sets the wall clock moves quiet hours. */
  #followWall(moment: Moment): void {
    const offset = moment.now - moment.monotonic
    if (Math.abs(offset - this.#offset) < noticeableMs) return
    this.#offset = offset
    this.#decideAnew()
  }

  #useRoom(plan: ChannelPlan, moment: Moment): void {
    if (!plan.hadNoRoom()) return
    for (const episode of mostSevereFirst([...this.#episodes.all()], ({ alert }) => alert))
      this.#decideOn(plan, episode, moment)
  }

  /** By `step`: of thousands of alerts, for all their ways out, too much to be done at once. */
  #decideAnew(plans: Iterable<ChannelPlan> = this.#plans.values()): void {
    this.#pass.begin(plans, this.#episodes.all())
  }

  #decide(plans: Iterable<ChannelPlan>, episode: Episode, moment: Moment): void {
    for (const plan of plans) this.#decideOn(plan, episode, moment)
    this.#forgetDone(episode)
  }

  #forgetDone(episode: Episode): void {
    if (!episode.ended) return
    for (const plan of this.#plans.values()) if (plan.tells(episode.id) || plan.isBusyWith(episode)) return
    this.#episodes.forget(episode)
  }

  /** What one episode does may be what another of the same alert waits for. */
  #decideOn(plan: ChannelPlan, episode: Episode, moment: Moment): void {
    const settings = this.#settings(moment)
    const siblings = [...this.#episodes.of(episode.alert.id)]
    plan.decide(episode, siblings, settings)
    if (!episode.ended) return
    for (const other of siblings)
      if (other !== episode && !other.ended) plan.decide(other, siblings, settings)
  }
}
