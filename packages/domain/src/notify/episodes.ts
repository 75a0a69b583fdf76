import type { Moment } from '../alerts/condition.ts'
import type { AlertChange, StoredAlert } from '../alerts/stored.ts'
import type { DispatchItem, Episode, EpisodeEnd } from './dispatch.ts'

/** What is known of an episode besides the open alerts. */
type Known = Pick<DispatchItem, 'episode' | 'alert' | 'source'>

/** Every episode about which something is, or may have to be, told. */
export class Episodes {
  readonly #byId = new Map<string, Episode>()
  readonly #byAlert = new Map<string, Set<Episode>>()

  get(id: string): Episode | undefined {
    return this.#byId.get(id)
  }

  /** Those of one alert, the oldest first. */
  of(alertId: string): Iterable<Episode> {
    return this.#byAlert.get(alertId) ?? []
  }

  all(): Iterable<Episode> {
    return this.#byId.values()
  }

  get size(): number {
    return this.#byId.size
  }

  /** It goes on, or begins. */
  open(
    { episode: id, source, alert, flappingUntil, repeats, noReminder }: StoredAlert,
    moment: Moment,
    isRestored = false,
  ): Episode {
    const known = this.#byId.get(id)
    const passedMs = Math.max(0, moment.now - Date.parse(alert.startTime))
    return this.#put({
      id,
      source,
      alert,
      flapping: flappingOf(known, flappingUntil, moment),
      repeats,
      noReminder,
      beganAt: known?.beganAt ?? moment.monotonic - passedMs,
      heardAt: known ? known.heardAt : isRestored ? undefined : moment.monotonic,
    })
  }

  /** It is over since then. Undefined when nobody knows of it. */
  end(
    { episode: id, alert, flappingUntil }: StoredAlert,
    endedAt: number,
    moment: Moment,
  ): Episode | undefined {
    const known = this.#byId.get(id)
    if (!known || known.ended) return undefined
    const flapping = flappingOf(known, flappingUntil, moment)
    return this.#put({ ...known, alert, flapping, ended: endedAtOf(endedAt, moment) })
  }

  /** Only known from what was told of it, or is being told. */
  over({ episode: id, alert, source }: Known, { at, reason, note }: EpisodeEnd, moment: Moment): Episode {
    const from = source ?? (alert.instance || alert.node)
    return this.#put({
      id,
      source: from,
      alert: {
        ...alert,
        ...(reason !== undefined && { endReason: reason }),
        ...(note !== undefined && { endNote: note }),
      },
      beganAt: moment.monotonic,
      ended: endedAtOf(at, moment),
    })
  }

  forget({ id, alert }: Episode): void {
    const known = this.#byId.get(id)
    this.#byId.delete(id)
    const others = this.#byAlert.get(alert.id)
    if (known) others?.delete(known)
    if (others?.size === 0) this.#byAlert.delete(alert.id)
  }

  #put(episode: Episode): Episode {
    const { id, alert } = episode
    const known = this.#byId.get(id)
    if (known) {
      Object.assign(known, { flapping: undefined, ended: undefined }, episode)
      return known
    }
    this.#byId.set(id, episode)
    const others = this.#byAlert.get(alert.id) ?? new Set()
    this.#byAlert.set(alert.id, others.add(episode))
    return episode
  }
}

/** A date beyond that comes from a clock that was set. Shorter than an all-clear is worth sending, or it would be lost by it. */
const longestLatchMs = 12 * 3_600_000

/** Whoever sets the wall clock meanwhile neither prolongs nor shortens it. */
function flappingOf(known: Episode | undefined, told: number | undefined, { now, monotonic }: Moment) {
  if (told === undefined) return undefined
  if (known?.flapping?.told === told) return known.flapping
  return { told, until: monotonic + Math.min(longestLatchMs, Math.max(0, told - now)) }
}

/** How long ago is counted from when it was heard of: dates may come from a clock that was set. */
const endedAtOf = (endedAt: number, { monotonic }: Moment) => ({ now: endedAt, monotonic })

export const isOver = ({ what }: AlertChange): boolean => what === 'resolved' || what === 'cleared'

/** A reminder is sent only while the figure is known, and at or above its threshold. */
export const isReminded = ({
  alert: { value, threshold },
  noReminder,
}: Pick<Episode, 'alert' | 'noReminder'>): boolean => noReminder !== true && value >= threshold
