import type { AlertConfig, AnyRecord } from '@pulse/contract'
import type { StatePatch } from '../state/patch.ts'
import type { Tables } from '../state/tables.ts'
import type { Moment } from './condition.ts'
import type { Subject } from './judging.ts'
import { SeenTables } from './applied-tables.ts'

/** Records that are judged before others have their turn: some milliseconds. */
export const recordsPerStep = 500

type Waiting = { moment: Moment } & ({ patch: StatePatch } | { config: AlertConfig })

interface Pass {
  moment: Moment
  records: Generator<[Subject, string, AnyRecord], void>
}

export interface SettingsPassEdges {
  live: Tables
  subjects: readonly Subject[]
  /** Other settings are in force since then. */
  begin: (config: AlertConfig, moment: Moment) => void
  judge: (subject: Subject, key: string, record: AnyRecord) => void
  /** Time is that of the settings again: others have asked for something since. */
  resume: (moment: Moment) => void
  /** Every record has been judged by them. */
  end: () => void
  apply: (patch: StatePatch, moment: Moment) => void
}

/**
 * Judges every record by new settings, in steps. Patches and further settings that come meanwhile wait, and follow in their
 * order: what ends by the settings is told apart from what ends by a figure. The rules see the tables as they were.
 */
export class SettingsPass {
  readonly #edges: SettingsPassEdges
  readonly #seen: SeenTables
  readonly #waiting: Waiting[] = []
  #pass: Pass | undefined

  constructor(edges: SettingsPassEdges) {
    this.#edges = edges
    this.#seen = new SeenTables(edges.live)
  }

  get tables(): Tables {
    return this.#seen.tables
  }

  /** Records are still to be judged by the settings that are in force. */
  get isUnderWay(): boolean {
    return this.#pass !== undefined
  }

  get isBusy(): boolean {
    return this.#pass !== undefined || this.#waiting.length > 0
  }

  configure(config: AlertConfig, moment: Moment): void {
    if (this.isBusy) this.#waiting.push({ config, moment })
    else {
      this.#seen.hold()
      this.#begin(config, moment)
    }
  }

  /** False: nothing is in the way of it. */
  isDelayed(patch: StatePatch, moment: Moment): boolean {
    if (this.isBusy) this.#waiting.push({ patch, moment })
    return this.isBusy
  }

  step(): void {
    try {
      if (this.#pass) this.#judgeSome(this.#pass)
      else this.#next(this.#waiting.shift())
    } finally {
      if (!this.isBusy) this.#seen.release()
    }
  }

  #begin(config: AlertConfig, moment: Moment): void {
    this.#edges.begin(config, moment)
    this.#pass = { moment, records: this.#records() }
  }

  *#records(): Pass['records'] {
    for (const subject of this.#edges.subjects)
      for (const [key, record] of this.tables[subject.kind]) yield [subject, key, record]
  }

  #judgeSome({ moment, records }: Pass): void {
    this.#edges.resume(moment)
    for (let count = 0; count < recordsPerStep; count++) {
      const next = records.next()
      if (next.done) {
        this.#pass = undefined
        this.#edges.end()
        return
      }
      this.#edges.judge(...next.value)
    }
  }

  #next(waiting: Waiting | undefined): void {
    if (!waiting) return
    if ('config' in waiting) this.#begin(waiting.config, waiting.moment)
    else {
      this.#seen.take(waiting.patch)
      this.#edges.apply(waiting.patch, waiting.moment)
    }
  }
}
