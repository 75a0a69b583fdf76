import type { Alert } from '@pulse/contract'
import type { Moment } from '../alerts/condition.ts'
import type { AlertChange, StoredAlert } from '../alerts/stored.ts'
import type { Episode } from './dispatch.ts'

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
  open({ episode: id, alert, flappingUntil }: StoredAlert, moment: Moment): Episode {
    const known = this.#byId.get(id)
    const passedMs = Math.max(0, moment.now - Date.parse(alert.startTime))
    return this.#put({
      id,
      alert,
      flappingUntil,
      beganAt: known?.beganAt ?? moment.monotonic - passedMs,
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
    return this.#put({ ...known, alert, flappingUntil, ended: endedAtOf(endedAt, moment) })
  }

  /** Only known from what was told of it, or is being told. */
  over(id: string, alert: Alert, endedAt: number, moment: Moment): Episode {
    return this.#put({ id, alert, beganAt: moment.monotonic, ended: endedAtOf(endedAt, moment) })
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
      Object.assign(known, { flappingUntil: undefined, ended: undefined }, episode)
      return known
    }
    this.#byId.set(id, episode)
    const others = this.#byAlert.get(alert.id) ?? new Set()
    this.#byAlert.set(alert.id, others.add(episode))
    return episode
  }
}

const endedAtOf = (endedAt: number, { now, monotonic }: Moment) => ({
  now: endedAt,
  monotonic: monotonic - Math.max(0, now - endedAt),
})

export const isOver = ({ what }: AlertChange): boolean => what === 'resolved' || what === 'cleared'
