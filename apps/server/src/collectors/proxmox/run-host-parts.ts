import type { MonitorFlag } from '@pulse/contract'
import type { Observation } from '@pulse/domain'
import { backoffMs } from '../../polling/backoff.ts'
import { startLoop, type Loop } from '../../polling/loop.ts'
import { deadlineFor } from '../source.ts'
import { SourceError, toSourceError } from '../source-error.ts'
import type { HostContext, HostDesk, HostLoop, HostPart, HostRun } from './host-part.ts'

/** What is not known there may come with an update. */
const unknownMs = 300_000
/** A right may be given any moment, by somebody who then looks whether it helped. */
const deniedMs = 60_000
/** Until it is looked again whether the host answers. */
const shutMs = 5_000

interface Started<Book> {
  part: HostPart<Book>
  run: HostRun
  loops: { plan: HostLoop; loop: Loop }[]
  /** what it published last: the truth for as long as it cannot say better */
  records: Observation['records']
}

export interface HostPartsEdges<Book> {
  /** for one part: its calls count as its own */
  deskOf: (part: HostPart<Book>) => HostDesk<Book>
  /** as often as the host itself is asked */
  everyMs: () => number
  /** Milliseconds until a call is affordable; Infinity while the host does not answer. */
  waitMs: () => number
  /** The account was refused: asking the host itself tells whether that is so for all. */
  refused: () => void
}

/** Starts the parts that are wanted, and knows them by their shape alone. */
export class HostParts<Book> {
  readonly #parts: readonly HostPart<Book>[]
  readonly #edges: HostPartsEdges<Book>
  readonly #started = new Map<string, Started<Book>>()
  /** by name */
  readonly #ending = new Map<string, Promise<unknown>>()
  #isOn: (flag: MonitorFlag) => boolean = () => false
  #stopped = false

  constructor(parts: readonly HostPart<Book>[], edges: HostPartsEdges<Book>) {
    this.#parts = parts
    this.#edges = edges
  }

  /** Starts and ends parts as the switches now say; returns those that are wanted. */
  enable(isOn: (flag: MonitorFlag) => boolean): HostPart<Book>[] {
    this.#isOn = isOn
    const enabled = this.#parts.filter(({ flags }) => flags?.some(isOn) ?? true)
    for (const { part } of this.#started.values()) if (!enabled.includes(part)) this.#end(part)
    for (const part of enabled)
      // One that still ends would take along what the new one learns.
      if (!this.#started.has(part.name) && !this.#ending.has(part.name)) this.#begin(part)
    return enabled
  }

  /** What all of them know. Of those that are not wanted: that there is nothing. */
  records(context: HostContext): Observation['records'] {
    const records: Observation['records'] = {}
    for (const { name, kinds = [] } of this.#parts) {
      const one = this.#started.get(name)
      if (one) this.#guard(one.part, 'records', () => (one.records = one.run.records?.(context) ?? {}))
      for (const kind of kinds) Object.assign(records, { [kind]: one?.records[kind] ?? nothing })
    }
    return records
  }

  /** Ends the pauses of one part, or of all. */
  wake(name?: string): void {
    for (const { part, loops } of this.#started.values())
      if (name === undefined || part.name === name) for (const { loop } of loops) loop.refresh()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    for (const { part } of this.#started.values()) this.#end(part)
    await Promise.all(this.#ending.values())
  }

  #begin(part: HostPart<Book>): void {
    const desk = this.#edges.deskOf(part)
    this.#guard(part, 'start', () => {
      const run = part.start(desk)
      const loops = run.loops.map((plan) => ({ plan, loop: this.#loop(desk, plan) }))
      this.#started.set(part.name, { part, run, loops, records: {} })
    })
  }

  #loop(desk: HostDesk<Book>, plan: HostLoop): Loop {
    const { everyMs = this.#edges.everyMs, isWanted = () => true } = plan
    return startLoop({
      clock: desk.clock,
      log: desk.log,
      everyMs,
      deadlineMs: plan.deadlineMs ?? (() => deadlineFor(desk.pace())),
      hold: () => (isWanted() ? Math.min(shutMs, this.#edges.waitMs()) : shutMs),
      run: async (signal, deadline) => {
        await plan.run(signal, deadline)
        desk.unreadable.read(plan.name)
        void desk.publish()
      },
      failed: (cause, failures) => {
        const error = toSourceError(cause)
        if (!(cause instanceof SourceError) && failures === 1)
          desk.log.error({ err: cause, part: plan.name }, 'a part of the collector is at fault')
        desk.unreadable.failed(plan.name, error, plan.right)
        void desk.publish()
        if (error.code === 'unauthorized') this.#edges.refused()
        if (error.code === 'forbidden') return Math.max(deniedMs, everyMs())
        if (error.isRefusal) return unknownMs
        return error.code === 'unauthorized' ? Math.max(30_000, backoffMs(failures)) : undefined
      },
    })
  }

  #end(part: HostPart<Book>): void {
    const { run, loops } = this.#started.get(part.name)!
    this.#started.delete(part.name)
    const desk = this.#edges.deskOf(part)
    const end = async () => {
      await Promise.all(loops.map(({ loop }) => loop.stop()))
      for (const { plan } of loops) desk.unreadable.forget((what) => what === plan.name)
      this.#guard(part, 'end', () => run.stop?.())
      this.#ending.delete(part.name)
      if (!this.#stopped) this.enable(this.#isOn)
    }
    this.#ending.set(part.name, end())
  }

  /** A defect of one part is told, and ends there. */
  #guard(part: HostPart<Book>, what: string, act: () => void): void {
    const { log, unreadable } = this.#edges.deskOf(part)
    const question = `${part.name} ${what}`
    try {
      act()
      unreadable.forget((one) => one === question)
    } catch (err) {
      if (unreadable.errorOf(question) === undefined)
        log.error({ err, part: part.name }, 'a part of the collector is at fault')
      unreadable.failed(question, toSourceError(err))
    }
  }
}

const nothing = new Map<string, never>()
