import type { Moment } from '../alerts/condition.ts'
import type { AlertChange, StoredAlert } from '../alerts/stored.ts'
import type { DispatchItem, Episode, EpisodeEnd } from './dispatch.ts'

/** An episode that only the log or a message contains. */
type Known = Pick<DispatchItem, 'episode' | 'alert' | 'source'>

/** Every episode that a message was sent about, or may have to be. */
export class Episodes {
  readonly #byId = new Map<string, Episode>()
  readonly #byAlert = new Map<string, Set<Episode>>()

  get(id: string): Episode | undefined {
    return this.#byId.get(id)
  }

  /** Episodes of one alert, the oldest first. */
  of(alertId: string): Iterable<Episode> {
    return this.#byAlert.get(alertId) ?? []
  }

  all(): Iterable<Episode> {
    return this.#byId.values()
  }

  get size(): number {
    return this.#byId.size
  }

  /** Adds a firing episode, or updates it. */
  open(
    { episode: id, source, alert, flappingUntil, repeats, noReminder }: StoredAlert,
    moment: Moment,
    isRestored = false,
  ): Episode {
    const known = this.#byId.get(id)
    return this.#put({
      id,
      source,
      alert,
      flapping: flappingOf(known, flappingUntil, moment),
      repeats,
      noReminder,
      beganAt: known?.beganAt ?? moment.monotonic - Math.max(0, moment.now - Date.parse(alert.startTime)),
      receivedAt: known ? known.receivedAt : isRestored ? undefined : moment.monotonic,
    })
  }

  /** Marks an episode as ended. Undefined if it is unknown or has already ended. */
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

  /** Adds an ended episode that only the log or an unfinished message still contains. */
  addEnded({ episode: id, alert, source }: Known, { at, reason, note }: EpisodeEnd, moment: Moment): Episode {
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

/**
 * A later date comes from a changed clock. Must be shorter than the time for which a resolved message is
 * kept, or that message would be lost.
 */
const longestLatchMs = 12 * 3_600_000

/** A change of the wall clock neither extends nor shortens it. */
function flappingOf(known: Episode | undefined, wallUntil: number | undefined, { now, monotonic }: Moment) {
  if (wallUntil === undefined) return undefined
  if (known?.flapping?.wallUntil === wallUntil) return known.flapping
  return { wallUntil, until: monotonic + Math.min(longestLatchMs, Math.max(0, wallUntil - now)) }
}

/** The age of an end counts from its arrival, because dates may come from a changed clock. */
const endedAtOf = (endedAt: number, { monotonic }: Moment) => ({ now: endedAt, monotonic })

export const isEnd = ({ what }: AlertChange): boolean => what === 'resolved' || what === 'cleared'

/** A reminder is sent only while the figure is known, and at or above its threshold. */
export const isReminded = ({
  alert: { value, threshold },
  noReminder,
}: Pick<Episode, 'alert' | 'noReminder'>): boolean => noReminder !== true && value >= threshold
