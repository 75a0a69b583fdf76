import type { AlertConfig, AnyRecord, RecordKind } from '@pulse/contract'
import type { KindPatch, StatePatch } from '../state/patch.ts'
import type { MutableTables, Tables } from '../state/tables.ts'
import type { Moment } from './condition.ts'
import type { Subject } from './judging.ts'

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
  /** Sets the time back to that of the settings, because other calls have moved it. */
  resume: (moment: Moment) => void
  /** Every record has been evaluated. */
  end: () => void
  apply: (patch: StatePatch, moment: Moment) => void
}

/**
 * Evaluates every record with new settings, in steps. Patches and further settings that arrive meanwhile are
 * queued in order. This separates alerts that the settings end from those that a figure ends. The rules use
 * the tables from before.
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

/** The tables that the engine has applied: the live ones, or older ones without the queued patches. */
class AppliedTables {
  readonly #live: Tables
  /** The object stays the same; its tables are replaced. */
  readonly tables: Tables
  #frozen: MutableTables | undefined

  constructor(live: Tables) {
    this.#live = live
    this.tables = { ...live }
  }

  /** Freezes the tables until a patch is applied. */
  freeze(): void {
    const copies = Object.entries(this.#live).map(([kind, records]) => [kind, new Map(records as never)])
    this.#frozen = Object.fromEntries(copies) as MutableTables
    Object.assign(this.tables, this.#frozen)
  }

  take(patch: StatePatch): void {
    for (const [kind, { put, remove }] of Object.entries(patch) as [RecordKind, KindPatch<AnyRecord>][]) {
      const own = this.#frozen?.[kind] as Map<string, AnyRecord> | undefined
      for (const key of remove) own?.delete(key)
      for (const [key, record] of put) own?.set(key, record)
    }
  }

  /** Every patch has been applied. */
  release(): void {
    this.#frozen = undefined
    Object.assign(this.tables, this.#live)
  }
}
