import type { Alert } from '@pulse/contract'
import type { AlertChange } from '../alerts/stored.ts'
import { daysWithin } from '../notify/zone-clock.ts'

/** An alert that would have fired. */
export interface PlayedAlert {
  /** key of its record */
  id: string
  name: string
  /** of a guest: its mount point, or its device */
  fileSystem?: string
  level: 'warning' | 'critical'
  /** epoch ms */
  started: number
  /** absent: it lasted until the end of the time */
  ended?: number
  /** the largest figure, in the unit of the threshold */
  peak: number
}

/** The alerts of one record. */
export interface PlayedTotal {
  id: string
  name: string
  count: number
  totalMs: number
}

const mostPlayedAlerts = 200
const mostPlayedThings = 10
/** An alert that recurs within minutes continues. After this time it cannot. */
const finalAfterMs = 3_600_000

/** Counts the alerts of a play. Of many, the first ones are listed and all are counted. */
export class Tally {
  #total = 0
  readonly #days: { day: number; count: number }[]
  readonly #listed: PlayedAlert[] = []
  /** by episode */
  readonly #episodes = new Map<string, PlayedAlert>()
  readonly #totals = new Map<string, PlayedTotal>()

  constructor(from: number, to: number, timezone: string) {
    this.#days = daysWithin(timezone, from, to).map((day) => ({ day, count: 0 }))
  }

  /** `id`: key of the record that the alert is about */
  take(
    { what, stored: { alert, episode }, at }: AlertChange,
    { id, peak }: { id: string; peak: number },
  ): void {
    const level = alert.level === 'critical' ? 'critical' : 'warning'
    const known = this.#episodes.get(episode)
    if (what === 'raised')
      this.#begin(episode, {
        id,
        name: alert.resourceName,
        ...fileSystemOf(alert),
        level,
        started: Date.parse(alert.startTime),
        peak,
      })
    if (!known) return
    this.rise(episode, peak)
    if (level === 'critical') known.level = level
    if (what === 'resolved') this.#end(known, at)
    if (what === 'reopened' && known.ended !== undefined) {
      this.#totals.get(id)!.totalMs -= known.ended - known.started
      delete known.ended
    }
  }

  /** The figure of an open alert. */
  rise(episode: string, peak: number): void {
    const known = this.#episodes.get(episode)
    if (known) known.peak = Math.max(known.peak, peak)
  }

  #begin(episode: string, alert: PlayedAlert): void {
    const { id, name, started } = alert
    this.#episodes.set(episode, alert)
    if (this.#listed.length < mostPlayedAlerts) this.#listed.push(alert)
    const total = this.#totals.get(id) ?? { id, name, count: 0, totalMs: 0 }
    this.#totals.set(id, total)
    total.count++
    this.#total++
    this.#days.findLast(({ day }) => day <= started)!.count++
  }

  #end(alert: PlayedAlert, at: number): void {
    alert.ended = at
    this.#totals.get(alert.id)!.totalMs += at - alert.started
  }

  /** Alerts that cannot continue any more need no memory. */
  forgetFinal(now: number): void {
    for (const [episode, { ended }] of this.#episodes)
      if (ended !== undefined && ended < now - finalAfterMs) this.#episodes.delete(episode)
  }

  result(to: number) {
    for (const alert of this.#episodes.values())
      if (alert.ended === undefined) this.#totals.get(alert.id)!.totalMs += to - alert.started
    const totals = [...this.#totals.values()]
    return {
      perDay: this.#days,
      total: this.#total,
      totalMs: totals.reduce((sum, { totalMs }) => sum + totalMs, 0),
      things: totals.length,
      top: totals
        .toSorted((a, b) => b.count - a.count || b.totalMs - a.totalMs || (a.id < b.id ? -1 : 1))
        .slice(0, mostPlayedThings),
      alerts: this.#listed,
    }
  }
}

function fileSystemOf({ metadata }: Alert): Pick<PlayedAlert, 'fileSystem'> {
  const name = metadata?.['mountpoint'] ?? metadata?.['device']
  return typeof name === 'string' ? { fileSystem: name } : {}
}
