import type { AlertConfig, AnyRecord } from '@pulse/contract'
import type { StatePatch } from '../state/patch.ts'
import type { Tables } from '../state/tables.ts'
import type { Moment } from './condition.ts'
import type { Subject } from './judging.ts'
import { AppliedTables } from './applied-tables.ts'

/** Records per step; a step takes some milliseconds. */
export const recordsPerStep = 500

type Waiting = { moment: Moment } & ({ patch: StatePatch } | { config: AlertConfig })

interface Pass {
  moment: Moment
  records: Generator<[Subject, string, AnyRecord], void>
}

export interface SettingsPassEdges {
  live: Tables
  subjects: readonly Subject[]
  /** The new settings take effect. */
  begin: (config: AlertConfig, moment: Moment) => void
  judge: (subject: Subject, key: string, record: AnyRecord) => void
  /** Sets the time back to that of the settings: other calls have moved it. */
  resume: (moment: Moment) => void
  /** Every record has been evaluated. */
  end: () => void
  apply: (patch: StatePatch, moment: Moment) => void
}

/**
 * Evaluates every record with new settings, in steps. Patches and further settings that arrive meanwhile are queued in order:
 * an alert that the settings end is distinct from one that a figure ends. The rules see the tables as they were before.
 */
export class SettingsPass {
  readonly #edges: SettingsPassEdges
  readonly #applied: AppliedTables
  readonly #waiting: Waiting[] = []
  #pass: Pass | undefined

  constructor(edges: SettingsPassEdges) {
    this.#edges = edges
    this.#applied = new AppliedTables(edges.live)
  }

  get tables(): Tables {
    return this.#applied.tables
  }

  /** Records remain to be evaluated with the current settings. */
  get isUnderWay(): boolean {
    return this.#pass !== undefined
  }

  get isBusy(): boolean {
    return this.#pass !== undefined || this.#waiting.length > 0
  }

  configure(config: AlertConfig, moment: Moment): void {
    if (this.isBusy) this.#waiting.push({ config, moment })
    else {
      this.#applied.freeze()
      this.#begin(config, moment)
    }
  }

  /** Queues the patch while settings are applied. */
  isDelayed(patch: StatePatch, moment: Moment): boolean {
    if (this.isBusy) this.#waiting.push({ patch, moment })
    return this.isBusy
  }

  step(): void {
    try {
      if (this.#pass) this.#judgeSome(this.#pass)
      else this.#next(this.#waiting.shift())
    } finally {
      if (!this.isBusy) this.#applied.release()
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
      this.#applied.take(waiting.patch)
      this.#edges.apply(waiting.patch, waiting.moment)
    }
  }
}
