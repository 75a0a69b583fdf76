import type { Clock, Observation } from '@pulse/domain'
import type { Logger } from 'pino'
import { createTimeSlice, runYielding } from '../timing/yield.ts'
import { type Loop, startLoop } from './loop.ts'
import type { Asked, MemberRun, NamedPart, PartLoop, PartRun } from './part.ts'

export interface PartRunnerEdges<P, R, L, M, MR> {
  clock: Clock
  log: Logger
  isWanted(part: P): boolean
  start(part: P): R
  startAt?(member: M, run: R, part: P): MR | undefined
  timing(asked: Asked<P, L>, member: M | undefined): Timing
  /** A loop has run. Its question was answered, unless `at` is the loop's value for "nothing new". */
  answered(asked: Asked<P, L>, at: number | void): void
  /** Returns the pause before the next run, or undefined for the usual one. */
  failed(asked: Asked<P, L>, cause: unknown, failures: number, member: M | undefined): number | undefined
  /** Reports a defect of a part under its own name. */
  defect(question: string, cause: unknown, part: P): void
  /** The question is no longer asked, or a defect was resolved. */
  forget(question: string): void
}

interface Timing {
  intervalMs: number | (() => number)
  firstAfterMs?: number
  deadlineMs: number | (() => number)
  /** Milliseconds until the loop may run, 0 for now. */
  hold: () => number
  /** after every run, failed or not */
  ended?: () => void
}

interface RunningLoop<P, L> {
  asked: Asked<P, L>
  loop: Loop
}

interface Started<P, R, L, MR> {
  part: P
  run: R
  loops: RunningLoop<P, L>[]
  members: Map<string, { run: MR; loops: RunningLoop<P, L>[] }>
  /** its latest records, kept while its `records` throws */
  records: Observation['records']
}

/** Starts and stops the parts of one source, at each member, by its switches. Isolates their defects. */
export class PartRunner<
  P extends NamedPart,
  R extends PartRun<L>,
  L extends PartLoop,
  M extends { name: string } = never,
  MR extends MemberRun<L> = never,
> {
  readonly #parts: readonly P[]
  readonly #edges: PartRunnerEdges<P, R, L, M, MR>
  readonly #started = new Map<string, Started<P, R, L, MR>>()
  readonly #members = new Map<string, M>()
  /** questions of parts that threw, by the name of the part */
  readonly #defects = new Map<string, Set<string>>()
  /** by the name of the part */
  readonly #ending = new Map<string, Promise<unknown>>()
  readonly #leaving = new Set<Promise<unknown>>()
  #stopped = false

  constructor(parts: readonly P[], edges: PartRunnerEdges<P, R, L, M, MR>) {
    this.#parts = parts
    this.#edges = edges
  }

  get enabled(): P[] {
    return this.#parts.filter((part) => this.#edges.isWanted(part))
  }

  get members(): ReadonlyMap<string, M> {
    return this.#members
  }

  /** Starts and stops parts according to the current switches. */
  enable(): P[] {
    const { enabled } = this
    for (const part of this.#parts) {
      if (enabled.includes(part)) continue
      if (this.#started.has(part.name)) this.#end(part)
      this.#mended(part)
    }
    // A part that is still ending would delete what its successor learns. The successor starts afterwards.
    for (const part of enabled)
      if (!this.#started.has(part.name) && !this.#ending.has(part.name)) this.#begin(part)
    return enabled
  }

  join(member: M): void {
    this.#members.set(member.name, member)
    for (const one of this.#started.values()) this.#watch(one, member)
  }

  /** `left` runs when the loops at the member have ended, unless the member has rejoined by then. */
  leave(name: string, left: () => void): void {
    this.#members.delete(name)
    const leaving = this.#stopAt(name, left)
    this.#leaving.add(leaving)
    void leaving.finally(() => this.#leaving.delete(leaving))
  }

  /** Calls every started part. What a part throws is reported as its defect. */
  each(what: string, call: (run: R, part: P) => void): void {
    for (const { part, run } of this.#started.values()) this.#guard(part, what, () => call(run, part))
  }

  eachAt(what: string, call: (run: MR, member: string, loops: () => void) => void): void {
    for (const { part, members } of this.#started.values())
      for (const [name, { run, loops }] of members)
        this.#guard(part, what, () => call(run, name, () => this.#forget(loops)))
  }

  /** Runs long work of the parts in steps that yield to the event loop. */
  async eachYielding(what: string, steps: (run: R) => Iterator<unknown, void> | undefined): Promise<void> {
    for (const { part, run } of this.#started.values()) {
      const question = `${part.name} ${what}`
      try {
        const work = steps(run)
        if (work) await runYielding(work)
        this.#mended(part, question)
      } catch (cause) {
        this.#failed(part, question, cause)
      }
    }
  }

  /**
   * The records of all parts, read in slices of some milliseconds. A part that is switched off has no records
   * of its kinds.
   */
  async records(read: (run: R) => Observation['records'] | undefined): Promise<Observation['records']> {
    const records: Observation['records'] = {}
    const yieldIfDue = createTimeSlice(sliceMs, this.#edges.clock.monotonic)
    for (const { name, kinds = [] } of this.#parts) {
      await yieldIfDue()
      const one = this.#started.get(name)
      if (one) this.#guard(one.part, 'records', () => (one.records = read(one.run) ?? {}))
      for (const kind of kinds) Object.assign(records, { [kind]: one?.records[kind] ?? none })
    }
    await yieldIfDue()
    return records
  }

  /** Ends the pauses of the loops that match `isMeant`, by default of all loops. */
  refresh(isMeant: (asked: Asked<P, L>, member?: string) => boolean = () => true): void {
    for (const { loops, members } of this.#started.values()) {
      for (const { asked, loop } of loops) if (isMeant(asked)) loop.refresh()
      for (const [name, there] of members)
        for (const { asked, loop } of there.loops) if (isMeant(asked, name)) loop.refresh()
    }
  }

  /** Of each loop: milliseconds until it wants to run, undefined while it runs. */
  waits(): { question: string; waitMs: number | undefined }[] {
    return [...this.#started.values()]
      .flatMap(({ loops, members }) => [loops, ...[...members.values()].map((there) => there.loops)])
      .flatMap((loops) => loops.map(({ asked: { question }, loop }) => ({ question, waitMs: loop.waitMs() })))
  }

  async stop(): Promise<void> {
    this.#stopped = true
    for (const { part } of this.#started.values()) this.#end(part)
    await Promise.all([...this.#ending.values(), ...this.#leaving])
  }

  #begin(part: P): void {
    this.#guard(part, 'start', () => {
      const run = this.#edges.start(part)
      const loops = this.#startLoops(part, run.loops)
      const one: Started<P, R, L, MR> = { part, run, loops, members: new Map(), records: {} }
      this.#started.set(part.name, one)
      for (const member of this.#members.values()) this.#watch(one, member)
    })
  }

  #watch({ part, run, members }: Started<P, R, L, MR>, member: M): void {
    this.#guard(part, `start at ${member.name}`, () => {
      const there = this.#edges.startAt?.(member, run, part)
      if (there) members.set(member.name, { run: there, loops: this.#startLoops(part, there.loops, member) })
    })
  }

  #startLoops(part: P, plans: readonly L[] = [], member?: M): RunningLoop<P, L>[] {
    const { clock, log } = this.#edges
    return plans.map((plan) => {
      const question = member ? `${member.name} ${plan.name}` : plan.name
      const asked = { part, plan, question }
      const { ended, ...timing } = this.#edges.timing(asked, member)
      const loop = startLoop({
        clock,
        log,
        ...timing,
        run: async (signal, deadline) => {
          const at = await plan.run(signal, deadline).finally(ended)
          this.#edges.answered(asked, at)
        },
        failed: (cause, failures) => this.#edges.failed(asked, cause, failures, member),
      })
      return { asked, loop }
    })
  }

  #end(part: P): void {
    const { run, loops, members } = this.#started.get(part.name)!
    this.#started.delete(part.name)
    const end = async () => {
      await Promise.all([
        this.#stopLoops(loops),
        ...[...members.values()].map((there) => this.#stopMember(part, there)),
      ])
      this.#guard(part, 'end', () => run.stop?.())
      this.#mended(part)
      this.#ending.delete(part.name)
      if (!this.#stopped) this.enable()
    }
    this.#ending.set(part.name, end())
  }

  async #stopAt(name: string, left: () => void): Promise<void> {
    const stops = [...this.#started.values()].map(async ({ part, members }) => {
      const there = members.get(name)
      members.delete(name)
      this.#mended(part, `${part.name} start at ${name}`)
      if (there) await this.#stopMember(part, there)
    })
    await Promise.all(stops)
    if (!this.#members.has(name)) left()
  }

  async #stopMember(part: P, { run, loops }: { run: MR; loops: RunningLoop<P, L>[] }): Promise<void> {
    const ended = this.#stopLoops(loops)
    try {
      await run.stop?.()
    } catch (err) {
      this.#edges.log.error({ err, part: part.name }, 'a part of the collector did not stop cleanly')
    }
    await ended
  }

  async #stopLoops(loops: readonly RunningLoop<P, L>[]): Promise<void> {
    await Promise.all(loops.map(({ loop }) => loop.stop()))
    this.#forget(loops)
  }

  #forget(loops: readonly RunningLoop<P, L>[]): void {
    for (const { asked } of loops) this.#edges.forget(asked.question)
  }

  #guard(part: P, what: string, call: () => void): void {
    const question = `${part.name} ${what}`
    try {
      call()
      this.#mended(part, question)
    } catch (cause) {
      this.#failed(part, question, cause)
    }
  }

  #failed(part: P, question: string, cause: unknown): void {
    this.#defects.set(part.name, (this.#defects.get(part.name) ?? new Set()).add(question))
    this.#edges.defect(question, cause, part)
  }

  /** All of the part, or one question. */
  #mended({ name }: P, question?: string): void {
    for (const one of this.#defects.get(name) ?? []) {
      if (question !== undefined && one !== question) continue
      this.#defects.get(name)!.delete(one)
      this.#edges.forget(one)
    }
  }
}

const none = new Map<string, never>()
/** for reading records: the parts of small sources are read together */
const sliceMs = 4
