import type { AlertConfig } from '@pulse/contract'
import type { Moment } from '../alerts/condition.ts'
import { ChannelLog, SentMessages, withSentFigures } from './channel-log.ts'
import { DueQueue } from '../due-queue.ts'
import { isReminded } from './episodes.ts'
import { admit } from './gates/index.ts'
import { dayMs, isExpired } from './gates/expired.ts'
import {
  type Explanation,
  explainPending,
  explainWait,
  nextEscalation,
  type Wait,
  waitOf,
} from './explain.ts'
import { ReadyQueue } from './ready-queue.ts'
import {
  type ChannelInfo,
  type Dispatch,
  type DispatchItem,
  type Ending,
  type Episode,
  type Ready,
  type SentKind,
  type Settings,
  type SourceShare,
  type NotificationLogEntry,
  type Wanted,
} from './dispatch.ts'
import { type Pending, type Waiting, waitingOf } from './waits.ts'
import { wantedOf } from './wanted.ts'

const orderReason = 'The resolved message of the previous episode goes first.'
const noRoom = 'Queue full; will be sent when there is room.'

interface SentMessage {
  alertIds: readonly string[]
  sources: readonly SourceShare[]
  isEscalation: boolean
}

/** Messages to one channel: sent ones and future ones. */
export class ChannelPlan {
  info: ChannelInfo
  readonly log: ChannelLog
  /** alerts of messages in transit, with their episodes */
  readonly #underWay = new Map<string, Set<string>>()
  /** sent when the grouping window ends */
  readonly #ready = new ReadyQueue()
  /** waiting messages with their reasons */
  readonly #pending = new Map<string, Pending>()
  readonly #sent = new SentMessages()
  /** when each episode is decided again */
  readonly due = new DueQueue<string>()
  /** monotonic */
  windowEndsAt: number | undefined
  overflowed = 0
  #isShort = false

  constructor(info: ChannelInfo) {
    this.info = info
    this.log = new ChannelLog(info.id)
  }

  get waiting(): number {
    return this.#ready.size
  }

  isBusyWith({ id, alert }: Episode): boolean {
    return this.#underWay.get(alert.id)?.has(id) === true
  }

  /** `at`: monotonic */
  noteMessage({ alertIds, sources, isEscalation }: SentMessage, at: number): void {
    for (const { stream, isFlood } of sources) this.#ready.limit.note(stream, isFlood, at)
    this.#sent.add(alertIds, isEscalation, at)
  }

  /** Decides from scratch which message an episode needs now. */
  decide(episode: Episode, siblings: Iterable<Episode>, settings: Settings): void {
    const { id, alert } = episode
    const hadNoRoom = this.#pending.get(id)?.gate === 'room'
    this.#ready.remove(id)
    this.#pending.delete(id)
    this.due.remove(id)
    if (!this.info.enabled) this.#forgetExpired(episode, settings)
    else if (!this.#underWay.has(alert.id)) this.#line(episode, siblings, settings)
    if (this.#pending.get(id)?.gate === 'room' && !hadNoRoom) this.overflowed += 1
    if (this.#ready.size === 0) this.windowEndsAt = undefined
  }

  /** While the channel is disabled, a resolved message is kept until it expires. */
  #forgetExpired({ id, ended }: Episode, { moment }: Settings): void {
    if (!ended || !this.log.has(id)) return
    if (isExpired(ended, moment)) this.forget(id)
    else this.due.offer(id, ended.monotonic + dayMs)
  }

  #line(episode: Episode, siblings: Iterable<Episode>, { config, moment }: Settings): void {
    const { id, alert } = episode
    const logged = this.log.get(id)
    const { wanted, wakeAt } = wantedOf(episode, logged, this.info, { config, moment })
    if (wakeAt !== undefined) this.due.offer(id, wakeAt)
    if (!wanted) {
      if (episode.ended) this.forget(id)
      return
    }
    for (const { id: other, ended } of siblings)
      if (other !== id && ended && this.log.get(other)?.isDelivered && !this.#ready.has(other)) {
        this.#hold({ episode, kind: wanted.kind, gate: 'order', reason: orderReason })
        return
      }
    const sent = this.#sent.of(alert.id, wanted.kind === 'escalated')
    const decision = admit({ kind: wanted.kind, episode, logged, sent, config, moment })
    if (decision.verdict === 'pass') return this.#makeReady(episode, wanted, { config, moment })
    const { gate, reason } = decision
    const until = decision.verdict === 'hold' ? decision.until : undefined
    this.#hold({ episode, kind: wanted.kind, gate, reason, until })
    if (decision.verdict === 'drop' && episode.ended) this.forget(id)
    if (decision.verdict === 'hold' && decision.until !== undefined)
      this.due.offer(id, Math.min(decision.until, wakeAt ?? Infinity))
  }

  #makeReady(episode: Episode, wanted: Wanted, { config, moment }: Settings): void {
    if (!this.#ready.put(episode, wanted)) {
      this.#isShort = true
      this.#hold({ episode, kind: wanted.kind, gate: 'room', reason: noRoom })
      return
    }
    this.windowEndsAt = Math.min(this.windowEndsAt ?? Infinity, moment.monotonic + windowMs(config))
  }

  #hold(pending: Pending): void {
    this.#pending.set(pending.episode.id, pending)
  }

  /** After a start, the window of waiting alerts counts from the time they fired. */
  resumeWindow({ config, moment }: Settings): void {
    if (this.windowEndsAt === undefined) return
    const began = Math.min(...[...this.#ready.all()].map(({ episode }) => episode.beganAt))
    this.windowEndsAt = Math.min(this.windowEndsAt, Math.max(moment.monotonic, began + windowMs(config)))
  }

  /** After a change of settings, nothing waits longer than the new window. */
  shortenWindow({ config, moment }: Settings): void {
    if (this.windowEndsAt !== undefined)
      this.windowEndsAt = Math.min(this.windowEndsAt, moment.monotonic + windowMs(config))
  }

  /**
   * Messages to send now; resolved alerts come first. `asOne`: as few messages as possible, because many
   * alerts have piled up.
   */
  take(settings: Settings, asOne: boolean): Dispatch[] {
    const { config, moment } = settings
    if (this.windowEndsAt === undefined || this.windowEndsAt > moment.monotonic) return []
    const awaited = new Set(
      [...this.#pending.values()].flatMap(({ gate, episode }) =>
        gate === 'order' ? [episode.alert.id] : [],
      ),
    )
    const batches = this.#ready.take(settings, this.info.capacity, { asOne, awaited })
    this.windowEndsAt = this.#ready.nextAt(settings, this.info.capacity, windowMs(config))
    for (const { named } of batches) for (const { episode } of named) this.#depart(episode)
    return batches.map(({ named, sources }) => ({
      channelId: this.info.id,
      kind: kindOf(named),
      items: named.map((one) => this.#itemOf(one)),
      sources,
    }))
  }

  #itemOf({ episode: { id, source, alert, ended }, wanted: { kind, escalatedAfter } }: Ready): DispatchItem {
    const logged = this.log.get(id)
    return {
      episode: id,
      source,
      alert: kind === 'resolved' && logged ? withSentFigures(alert, logged.alert) : alert,
      escalatedAfter,
      ...(ended && { endedAt: ended.now }),
    }
  }

  /** Whether the queue was full for any alert since the last call. */
  lackedRoom(): boolean {
    const had = this.#isShort
    this.#isShort = false
    return had
  }

  /** A message about it is in transit: a restart interrupted it, or an administrator sends it again. */
  adopt(episode: Episode): void {
    this.#ready.remove(episode.id)
    this.due.remove(episode.id)
    this.#depart(episode)
  }

  #depart({ id, alert }: Episode): void {
    this.#underWay.set(alert.id, (this.#underWay.get(alert.id) ?? new Set()).add(id))
  }

  #arrive({ episode, alert }: DispatchItem): void {
    const episodes = this.#underWay.get(alert.id)
    episodes?.delete(episode)
    if (episodes?.size === 0) this.#underWay.delete(alert.id)
  }

  finish(
    item: DispatchItem,
    kind: SentKind,
    ending: Ending,
    moment: Moment,
  ): NotificationLogEntry | undefined {
    const { episode } = item
    this.#arrive(item)
    if (ending === 'unnamed') this.#ready.leave(episode, moment)
    if (ending === 'kept' || ending === 'unnamed') return undefined
    if (kind === 'resolved') {
      this.forget(episode)
      return undefined
    }
    return this.log.add(item, { kind, isDelivered: ending === 'delivered' }, moment)
  }

  /** Whether a message that was taken may still be sent. */
  mayGo(episode: Episode, kind: SentKind, { config, moment }: Settings): boolean {
    if (!this.info.enabled) return false
    if (kind === 'resolved' ? !config.schedule.notifyOnResolve : episode.ended) return false
    if (kind === 'repeated' && !isReminded(episode)) return false
    const sent = this.#sent.of(episode.alert.id, kind === 'escalated')
    const logged = this.log.get(episode.id)
    return admit({ kind, episode, logged, sent, config, moment }).verdict === 'pass'
  }

  /** Given-up messages may be sent again. */
  forgiveFailures(): void {
    for (const { episode, isDelivered } of this.log.all()) if (!isDelivered) this.forget(episode)
  }

  forget(episode: string): void {
    this.#pending.delete(episode)
    this.log.remove(episode)
  }

  /**
   * The state of an episode in words, the reason why its message waits, and the next message if the alert
   * lasts.
   */
  explain(episode: Episode, settings: Settings): Explanation[] {
    if (!this.info.enabled) return []
    const escalation = nextEscalation(episode, this.log.get(episode.id), this.info, settings)
    return [this.#stateOf(episode, settings), escalation].filter((one) => one !== undefined)
  }

  #stateOf(episode: Episode, settings: Settings): Explanation | undefined {
    if (this.isBusyWith(episode)) return { text: 'A message about it is being sent.' }
    const ready = this.#ready.get(episode.id)
    if (ready) return explainWait(this.#waitOf(ready, settings), settings.moment)
    const pending = this.#pending.get(episode.id)
    return pending && explainPending(pending, settings.moment)
  }

  #waitOf({ stream }: Ready, settings: Settings): Wait {
    const capped = this.#ready.cappedUntil(stream, settings, this.info.capacity)
    return waitOf(capped, this.windowEndsAt, settings.moment)
  }

  /** Future messages by reason. The server has the messages in transit. */
  pending(settings: Settings): Waiting[] {
    if (!this.info.enabled) return []
    const ready = [...this.#ready.all()].map((one) => ({
      episode: one.episode,
      kind: one.wanted.kind,
      ...this.#waitOf(one, settings),
    }))
    return waitingOf([...ready, ...this.#pending.values()], settings.moment)
  }
}

const windowMs = ({ schedule: { grouping } }: AlertConfig) => (grouping.enabled ? grouping.window * 1000 : 0)

/** A message of several kinds is named after the most important one. */
const kindOf = (items: readonly Ready[]): SentKind =>
  (['resolved', 'escalated', 'raised'] as const).find((kind) =>
    items.some(({ wanted }) => wanted.kind === kind),
  ) ?? 'repeated'
