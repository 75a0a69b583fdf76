import type { Alert, AlertConfig } from '@pulse/contract'
import { AlertBound, type AlertLimits } from './alert-bound.ts'
import {
  acknowledged,
  newAlert,
  refreshed,
  seenIntervalMs,
  toIso,
  unacknowledged,
  withFlapping,
} from './alert-record.ts'
import type { AlertLevel, Condition, Moment } from './condition.ts'
import { Flapping } from './flapping.ts'
import { type ResolvedEntry, ResolvedAlerts, rememberedMs, reopenMs } from './resolved-alerts.ts'
import { levelOf } from './levels.ts'
import { noticesOf, type SentNotice, withNotice } from './notified.ts'
import { type AlertChange, endReasons, type Ending } from './stored.ts'
import { addStep, type Open, storedOf, type Tracked } from './tracked.ts'

const minuteMs = 60_000
const beyondBound = 'There are too many alerts: it is counted, not listed.'
/** More than the confirmations of any rule. */
const displacedSamples = 1_000

/** The circumstances of one evaluation. */
export interface Look {
  at: Moment
  /** The source answered or time passed, so this evaluation counts even if nothing changed. */
  isAnswer: boolean
  /** ms between two answers that count as two */
  apartMs: number
  /** Only the settings have changed since the last evaluation. */
  isSettings: boolean
}

export interface LifecycleEdges {
  config: () => AlertConfig
  newId: () => string
  emit: (change: AlertChange) => void
  /** Schedules another evaluation at that monotonic time. */
  later: (what: 'resolved' | 'flapping', tracked: { id: string }, at: number) => void
  limits?: AlertLimits | undefined
}

/** Moves each condition through pending, firing and resolved. */
export class Lifecycle {
  readonly active = new Map<string, Alert>()
  readonly resolved = new ResolvedAlerts()
  readonly flapping: Flapping
  readonly bound: AlertBound
  readonly #edges: LifecycleEdges

  constructor(edges: LifecycleEdges) {
    this.#edges = edges
    this.bound = new AlertBound(edges.limits)
    this.flapping = new Flapping(() => edges.config().flapping)
  }

  step(tracked: Tracked, condition: Condition, look: Look): void {
    this.bound.withdraw(tracked.id)
    tracked.condition = condition
    tracked.judgedAt = look.at.now
    switch (condition.verdict) {
      case 'bad':
        if (tracked.open) this.#refresh(tracked, tracked.open, condition, look.at)
        else if (!isCleared(tracked, condition)) this.#wait(tracked, condition, look)
        return
      case 'between':
        tracked.pending = undefined
        // The threshold is now above the one at which it fired.
        if (condition.isFigure && tracked.open && tracked.open.trigger !== condition.threshold)
          this.end(tracked, 'off', settingsNote(condition), look.at)
        this.rest(tracked, look.at)
        return
      case 'fine':
        // A change of settings ends the alert, but the condition has not passed.
        if (look.isSettings || endsBySettings(tracked, condition))
          this.end(tracked, 'off', settingsNote(condition), look.at)
        else this.end(tracked, condition.isFigure ? 'value' : 'passed', 'Cleared.', look.at)
        return
      case 'off':
        this.end(tracked, 'off', condition.reason ?? 'It is not evaluated.', look.at)
        return
      case 'held':
        this.rest(tracked, look.at)
    }
  }

  /** The alert stays open while its figure is below the trigger or unknown. */
  rest(tracked: Tracked, at: Moment): void {
    if (!tracked.open || tracked.open.noReminder) return
    tracked.open.noReminder = true
    this.#emit(tracked, 'refreshed', at)
  }

  #wait(tracked: Tracked, condition: Condition, { at, isAnswer, apartMs }: Look): void {
    const { pending } = tracked
    if (!pending) {
      const since = Math.min(condition.since ?? at.now, at.now)
      tracked.pending = {
        since,
        sinceAt: at.monotonic - (at.now - since),
        samples: 1,
        sampledAt: at.monotonic,
        value: condition.value,
      }
    } else if (
      (condition.isFigure && condition.value !== pending.value) ||
      (isAnswer && at.monotonic - pending.sampledAt >= apartMs)
    ) {
      pending.samples++
      pending.sampledAt = at.monotonic
      pending.value = condition.value
    }
    if (isRipe(tracked, condition, at)) this.#raise(tracked, condition, at)
  }

  #raise(tracked: Tracked, condition: Condition, at: Moment): void {
    const before = this.resolved.get(tracked.id)
    const repeats = before !== undefined && this.#isRepeated(before, condition, at)
    const isBack =
      repeats ||
      (before !== undefined &&
        before.ending !== 'cleared' &&
        before.ending !== 'value' &&
        at.monotonic - before.endedAt < reopenMs)
    const level = levelNow(condition, undefined)
    const old = before?.stored.alert
    const isRemembered =
      old?.acknowledged === true &&
      before!.ending !== 'cleared' &&
      at.monotonic - before!.endedAt < rememberedMs
    if (!this.#findRoom(tracked, level, isRemembered, at)) return
    const fresh = newAlert(condition, level, tracked.pending?.since ?? at.now, at.now)
    tracked.open = {
      alert: {
        ...fresh,
        ...(isBack && { startTime: old!.startTime, ...noticesOf(old!) }),
        ...(isRemembered && {
          acknowledged: true,
          ...(old.ackTime !== undefined && { ackTime: old.ackTime }),
          ...(old.ackUser !== undefined && { ackUser: old.ackUser }),
        }),
      },
      episode: isBack ? before.stored.episode : this.#edges.newId(),
      trigger: condition.threshold,
      beganAt: isBack ? before.beganAt : (tracked.pending?.sinceAt ?? at.monotonic),
      seen: at.now,
      reportedAt: at.monotonic,
      ...(repeats && { repeats }),
    }
    tracked.pending = undefined
    tracked.cleared = undefined
    if (isBack) tracked.steps = [...before.stored.steps]
    this.resolved.take(tracked.id)
    addStep(tracked, at.now, isBack ? 'Recurred; same alert continues.' : `Raised: ${condition.message}.`)
    this.#noteChange(tracked, at)
    this.#emit(tracked, isBack ? 'reopened' : 'raised', at)
  }

  /** The alert about unlisted alerts needs no room. */
  #findRoom(tracked: Tracked, level: AlertLevel, isAcknowledged: boolean, at: Moment): boolean {
    if (tracked.source === '') return true
    const room = this.bound.roomFor(tracked, level, isAcknowledged)
    if (room === undefined) this.#refuse(tracked, level, at)
    else if (room !== true) this.displace(room, at)
    return room !== undefined
  }

  #refuse(tracked: Tracked, level: AlertLevel, at: Moment): void {
    this.bound.refuse(tracked.id, level)
    if (tracked.steps.at(-1)?.text !== beyondBound) addStep(tracked, at.now, beyondBound)
  }

  /** More severe alerts take its place in the list. It then counts as unlisted. */
  displace(tracked: Tracked, at: Moment): void {
    const { alert, beganAt } = tracked.open!
    this.end(tracked, 'displaced', beyondBound, at)
    tracked.pending = {
      since: Date.parse(alert.startTime),
      sinceAt: beganAt,
      samples: displacedSamples,
      sampledAt: at.monotonic,
      value: alert.value,
    }
    this.bound.refuse(tracked.id, alert.level as AlertLevel)
  }

  /** The figure returned soon after the end with nearly the same value: the same alert continues. */
  #isRepeated({ ending, endedAt, stored }: ResolvedEntry, condition: Condition, at: Moment): boolean {
    const { suppressionWindow, minimumDelta } = this.#edges.config()
    return (
      condition.isFigure === true &&
      ending === 'value' &&
      at.monotonic - endedAt < suppressionWindow * minuteMs &&
      Math.abs(stored.alert.value - condition.value) < minimumDelta
    )
  }

  #refresh(tracked: Tracked, open: Open, condition: Condition, at: Moment): void {
    const levelBefore = open.alert.level as AlertLevel
    const level = levelNow(condition, levelBefore)
    const next = refreshed(open.alert, condition, level)
    open.seen = at.now
    open.trigger = condition.threshold
    const isDue = at.monotonic - open.reportedAt >= seenIntervalMs
    const wasResting = open.noReminder
    open.noReminder = undefined
    if (next === open.alert && !isDue && !wasResting) return
    open.reportedAt = at.monotonic
    open.alert = { ...next, lastSeen: toIso(at.now) }
    if (level !== levelBefore) addStep(tracked, at.now, `It is now ${level}: ${condition.message}.`)
    this.#emit(tracked, level === levelBefore ? 'refreshed' : 'leveled', at)
  }

  /** The source answered and nothing changed. */
  seen(tracked: Tracked, at: Moment): void {
    const { open, condition } = tracked
    if (!open || condition?.verdict !== 'bad') return
    open.seen = at.now
    if (at.monotonic - open.reportedAt < seenIntervalMs) return
    open.reportedAt = at.monotonic
    open.alert = { ...open.alert, lastSeen: toIso(at.now) }
    this.#emit(tracked, 'refreshed', at)
  }

  /** Ends the pending or open alert of the condition. */
  end(tracked: Tracked, ending: Ending, reason: string, at: Moment): void {
    const { open } = tracked
    this.bound.withdraw(tracked.id)
    tracked.pending = undefined
    tracked.cleared =
      ending === 'cleared' && open ? { level: open.alert.level, node: open.alert.node } : undefined
    if (!open) return
    this.bound.ended(tracked)
    addStep(tracked, at.now, reason)
    const flappingUntil = ending === 'cleared' ? undefined : this.flapping.note(tracked.id, at.monotonic)
    const stored = storedOf(tracked, { ...open, alert: ended(open, ending, reason) })
    tracked.open = undefined
    this.active.delete(tracked.id)
    const entry = { stored, ending, endedAt: at.monotonic, beganAt: open.beganAt }
    this.resolved.add(
      tracked.id,
      entry,
      ending === 'cleared' ? undefined : { ...stored.alert, resolvedTime: toIso(at.now) },
    )
    this.#edges.later('resolved', tracked, at.monotonic + reopenMs)
    if (flappingUntil !== undefined) this.#edges.later('flapping', tracked, flappingUntil)
    this.#edges.emit({
      what: ending === 'cleared' ? 'cleared' : 'resolved',
      stored,
      at: at.now,
      ending,
      reason,
      durationMs: Math.max(0, at.monotonic - open.beganAt),
    })
  }

  #noteChange(tracked: Tracked, at: Moment): void {
    const began = this.flapping.note(tracked.id, at.monotonic)
    if (began !== undefined) {
      addStep(tracked, at.now, 'It fires and resolves too often to be sent each time.')
      this.#edges.later('flapping', tracked, began)
    }
    const until = this.flapping.untilOf(tracked.id)
    if (until === undefined || !tracked.open) return
    tracked.open.flappingUntil = at.now + until - at.monotonic
    tracked.open.alert = withFlapping(tracked.open.alert, true)
  }

  /** Ends the suppression by flapping, or extends it. */
  release(id: string, tracked: Tracked | undefined, at: Moment): void {
    const until = this.flapping.release(id, at.monotonic)
    if (until !== undefined) this.#edges.later('flapping', { id }, until)
    if (!tracked?.open) return
    tracked.open.flappingUntil = until === undefined ? undefined : at.now + until - at.monotonic
    if (until !== undefined) return
    addStep(tracked, at.now, 'It has stopped flapping and can be sent again.')
    tracked.open.alert = withFlapping(tracked.open.alert, false)
    this.#emit(tracked, 'refreshed', at)
  }

  acknowledge(tracked: Tracked, user: string, at: Moment): void {
    if (!tracked.open || tracked.open.alert.acknowledged) return
    tracked.open.alert = acknowledged(tracked.open.alert, user, at.now)
    addStep(tracked, at.now, `${user} acknowledged it.`)
    this.#emit(tracked, 'acknowledged', at)
  }

  unacknowledge(tracked: Tracked, at: Moment): void {
    if (!tracked.open?.alert.acknowledged) return
    tracked.open.alert = unacknowledged(tracked.open.alert)
    addStep(tracked, at.now, 'Its acknowledgement was revoked.')
    this.#emit(tracked, 'unacknowledged', at)
  }

  /** A notification about it was delivered. */
  notified(tracked: Tracked, notice: SentNotice, at: Moment): void {
    const { open } = tracked
    if (open?.episode !== notice.episode) return
    const { alert, what } = withNotice(open.alert, notice, this.#edges.config().schedule, at.now)
    if (alert === open.alert) return
    open.alert = alert
    this.#emit(tracked, what, at)
  }

  #emit(tracked: Tracked, what: AlertChange['what'], at: Moment): void {
    const open = tracked.open!
    this.active.set(tracked.id, open.alert)
    const { level, acknowledged: isAcknowledged } = open.alert
    if (tracked.source !== '') this.bound.opened(tracked, level as AlertLevel, isAcknowledged)
    this.#edges.emit({ what, stored: storedOf(tracked, open), at: at.now })
  }
}

/** The delay has passed, or enough checks confirmed the condition. */
function isRipe({ pending }: Tracked, { delay, confirmations = 1 }: Condition, at: Moment): boolean {
  if (!pending) return false
  if (!delay) return pending.samples >= confirmations
  if (delay.seconds <= 0) return true
  return pending.samples > 1 && at.monotonic - pending.sinceAt >= delay.seconds * 1000
}

/** It was cleared, has not ended since, and has not become worse. */
const isCleared = ({ cleared }: Tracked, condition: Condition): boolean =>
  cleared !== undefined && (cleared.level === 'critical' || levelNow(condition, undefined) !== 'critical')

/**
 * The settings changed while the record was stale, or before a restart. Under the previous settings the alert
 * would continue.
 */
const endsBySettings = ({ open }: Tracked, { origin, threshold, value }: Condition): boolean =>
  open !== undefined && origin !== undefined && threshold !== open.trigger && value >= open.trigger

const settingsNote = ({ threshold }: Condition): string =>
  threshold > 0 ? `Its threshold is now ${threshold}.` : 'Its settings have changed.'

function ended({ alert, seen }: Open, ending: Ending, reason: string): Alert {
  const endReason = endReasons[ending]
  return {
    ...alert,
    lastSeen: toIso(seen),
    endReason,
    ...(endReason !== 'condition' && { endNote: reason }),
  }
}

const levelNow = (condition: Condition, before: AlertLevel | undefined): AlertLevel =>
  condition.isFigure ? levelOf(condition.value, condition, before) : condition.level
