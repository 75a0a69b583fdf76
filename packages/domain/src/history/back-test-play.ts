import type { AlertConfig, AnyRecord, BackTestKind, BackTestMetric, SourceState } from '@pulse/contract'
import type { AlertEngine } from '../alerts/alert-engine.ts'
import { createAlertEngine } from '../alerts/engine.ts'
import type { AlertChange } from '../alerts/stored.ts'
import type { StatePatch } from '../state/patch.ts'
import { emptyTables, type MutableTables } from '../state/tables.ts'
import { silentBand, stoppedBand } from './back-test-bands.ts'
import { Course } from './back-test-course.ts'
import { PlayedMessages } from './back-test-messages.ts'
import { Tally } from './back-test-tally.ts'
import { playedKind } from './played-records.ts'
import { type Judged, ownerOf, type PlayedThing } from './played-thing.ts'
import { playedMetrics, playedThreshold } from './played-thresholds.ts'
import { precisionOf } from './precision.ts'
import { absent } from './series.ts'
import type { Sample } from './history-source.ts'

export interface PlayEdges {
  kind: BackTestKind
  metric: BackTestMetric
  config: AlertConfig
  neighbours: ReadonlyMap<string, AnyRecord>
  neighbourKind: 'nodes' | 'pbs' | 'dockerHosts' | undefined
  from: number
  to: number
  /** false: every sample is judged, which takes longer and changes nothing */
  skips: boolean
}

/**
 * The alert engine over samples of the past, with their times for a clock. A sample that cannot change the
 * state of its alert is not judged.
 */
export class Play {
  readonly #edges: PlayEdges
  readonly #tables: MutableTables = emptyTables()
  readonly #engine: AlertEngine
  readonly #messages: PlayedMessages
  readonly #tally: Tally
  readonly #courses = new Map<PlayedThing, Course>()
  /** by key of the record: one for each of its figures */
  readonly #ofRecord = new Map<string, Course[]>()
  readonly #active = new Set<Course>()
  #at: number

  constructor(edges: PlayEdges, things: Iterable<Judged>) {
    this.#edges = edges
    const { kind, metric, config, from, to, neighbourKind, skips } = edges
    if (neighbourKind)
      for (const [key, record] of edges.neighbours) this.#tables[neighbourKind].set(key, record as never)
    const holdsStopped = playedKind(kind).stopped === undefined
    for (const judged of things) {
      const { thing } = judged
      const course = new Course(judged, { skips, downBand: downBands[kind], holdsStopped })
      this.#courses.set(thing, course)
      this.#ofRecord.set(thing.key, [...(this.#ofRecord.get(thing.key) ?? []), course])
      this.#tables.sources.set(thing.record.source, answered(kind, thing.record.source, from))
    }
    this.#at = from
    const { onlyMetric } = playedThreshold(kind, playedMetrics(metric)[0]!)
    let episodes = 0
    this.#engine = createAlertEngine({
      tables: this.#tables,
      config,
      moment: this.#moment(),
      newId: () => String(++episodes),
      recordsAreAnswers: true,
      ...(onlyMetric !== undefined && { onlyMetric }),
    })
    this.#messages = new PlayedMessages(config, this.#moment())
    this.#tally = new Tally(from, to, config.schedule.quietHours.timezone)
    this.#apply({ sources: { put: new Map(this.#tables.sources), remove: new Set() } })
  }

  /** Things whose next samples matter, whatever they are. */
  get active(): Iterable<PlayedThing> {
    return [...this.#active].map(({ thing }) => thing)
  }

  /** The samples of one tick, in stored values. Ticks ascend. */
  tick(at: number, samples: readonly (readonly [PlayedThing, number])[]): void {
    const news: (readonly [Course, number])[] = []
    for (const [thing, stored] of samples) {
      const course = this.#courses.get(thing)
      if (course?.isNews({ at, stored })) news.push([course, stored])
    }
    if (news.length === 0) return
    this.#advance(at)
    const late = news.filter(([{ skipped }]) => skipped !== undefined)
    // The figure at the end of an alert decides whether the next one continues it.
    if (late.length > 0) this.#put(late.map(([course]) => [course, course.skipped!]))
    this.#put(news)
  }

  /** Leaves out the samples before the first one that has to be judged. */
  untilNews(thing: PlayedThing, samples: readonly Sample[]): readonly Sample[] {
    const course = this.#courses.get(thing)!
    const first = samples.findIndex((sample) => course.isNews(sample))
    return first < 0 ? [] : samples.slice(first)
  }

  result() {
    this.#advance(this.#edges.to)
    for (const { episode, peak, threshold } of this.#active)
      if (episode !== undefined && !threshold.isCounter) this.#tally.rise(episode, peak)
    return { ...this.#tally.result(this.#edges.to), messages: this.#messages.count }
  }

  forgetFinal(): void {
    this.#tally.forgetFinal(this.#at)
  }

  #put(news: readonly (readonly [Course, number])[]): void {
    const { kind } = this.#edges
    const put = new Map<string, AnyRecord>()
    const table = this.#tables[kind] as unknown as Map<string, AnyRecord>
    for (const [course, stored] of news) {
      const record = this.#recordOf(course, stored)
      table.set(course.thing.key, record)
      put.set(course.thing.key, record)
      course.take({ at: this.#at, stored })
      this.#follow(course)
    }
    const sources = { put: this.#turned(news), remove: new Set() }
    this.#apply({
      ...(sources.put.size > 0 && { sources }),
      [kind]: { put, remove: new Set() },
    } as StatePatch)
  }

  /** The machines that stop answering or answer again. */
  #turned(news: readonly (readonly [Course, number])[]): Map<string, SourceState> {
    const turned = new Map<string, SourceState>()
    if (downBands[this.#edges.kind] !== silentBand) return turned
    for (const [{ thing }, stored] of news) {
      const { source } = thing.record
      const before = this.#tables.sources.get(source)!
      const health = stored === absent.silent ? 'error' : 'healthy'
      if (before.health === health) continue
      const { staleSince: _, ...state } = before
      const after = { ...state, health, ...(health === 'error' && { staleSince: this.#at }) } as const
      this.#tables.sources.set(source, after)
      turned.set(source, after)
    }
    return turned
  }

  #recordOf({ thing: { key, record }, threshold, keepsFigures }: Course, stored: number): AnyRecord {
    const played = playedKind(this.#edges.kind)
    const { figure, unit } = threshold
    const before: AnyRecord | undefined = this.#tables[this.#edges.kind].get(key)
    if (stored === absent.stopped && played.stopped) return played.stopped(record)
    if (stored === absent.stopped || stored === absent.silent)
      return { ...((keepsFigures && before) || record), staleSince: this.#at }
    const hasOthers = before !== undefined && this.#ofRecord.get(key)!.length > 1
    return played.with[figure]!(
      hasOthers ? answering(before) : record,
      precisionOf[unit].fromStored(stored),
      this.#at,
    )
  }

  #apply(patch: StatePatch): void {
    this.#hear(this.#engine.apply(patch, this.#moment()))
  }

  #hear(all: readonly AlertChange[]): void {
    const changes = all.filter((change) => this.#courseOf(change) !== undefined)
    for (const change of changes) {
      const course = this.#courseOf(change)!
      course.episode = change.what === 'resolved' ? undefined : change.stored.episode
      if (course.isOpen) course.isPending = false
      const peak = course.threshold.isCounter ? change.stored.alert.value : course.peak
      this.#tally.take(change, { id: ownerOf(course.thing), peak })
      this.#follow(course)
    }
    this.#messages.take(changes, this.#moment())
  }

  #courseOf({ stored: { record, alert } }: AlertChange): Course | undefined {
    return this.#ofRecord.get(record)?.find(({ threshold }) => threshold.type === alert.type)
  }

  #follow(course: Course): void {
    if (course.isActive) this.#active.add(course)
    else this.#active.delete(course)
  }

  /** Runs the timers of alerts and messages until then. */
  #advance(to: number): void {
    for (;;) {
      const [alerts, messages] = [this.#engine.nextDue() ?? Infinity, this.#messages.nextDue(this.#at)]
      const next = Math.min(alerts, messages)
      if (next > to) break
      this.#at = Math.max(this.#at, next)
      if (alerts <= this.#at) this.#hear(this.#engine.due(this.#moment()))
      this.#messages.due(this.#moment())
    }
    this.#at = Math.max(this.#at, to)
  }

  #moment() {
    return { now: this.#at, monotonic: this.#at }
  }
}

const machine: Partial<Record<BackTestKind, SourceState['kind']>> = {
  pbs: 'pbs',
  datastores: 'pbs',
  pmg: 'pmg',
  dockerContainers: 'docker',
}

/** The band of a thing whose machine is offline. An alert about it fires, which ends the others. */
const downBands: Partial<Record<BackTestKind, number>> = {
  nodes: stoppedBand,
  pbs: silentBand,
  pmg: silentBand,
  dockerContainers: silentBand,
}

const answering = (record: AnyRecord): AnyRecord => ({ ...record, staleSince: undefined })

const answered = (kind: BackTestKind, name: string, lastSeen: number): SourceState => ({
  name,
  kind: machine[kind] ?? 'pve',
  health: 'healthy',
  lastSeen,
})
