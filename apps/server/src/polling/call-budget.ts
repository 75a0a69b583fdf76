import type { ConnectionCalls } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { SlidingWindow } from '../timing/rate-limit.ts'
import { Shares } from './shares.ts'

/** Calls in a minute, and whenever the source is looked at. */
interface Rhythm {
  perMinute?: number
  perLook?: number
}

/** The calls that a part makes at most, in steady state: to whichever machine answers, unless it says otherwise. */
export interface CallShare extends Rhythm {
  /** about each of the things that it is asked for one by one, such as mail gateways */
  each?: Rhythm
  /** in a minute, to each member */
  node?: number
  /** in a minute, about each running guest: these are kept apart from the others */
  guest?: number
}

interface Sharer {
  name: string
  calls: CallShare
  callsUnlisted?: CallShare
}

/** What the shares of the parts are multiplied by. */
interface Load {
  /** the listing fails, so that nodes have to list their own guests */
  isUnlisted?: boolean
  looksPerMinute?: number
  /** how many things are asked for one by one */
  things?: number
}

/** Of no part: further attempts, sign-ins, and addresses that are tried again. */
export const WAYS = 'other ways'
export const waysPerMinute = 1

interface MemberCalls {
  lists: Shares
  probes: Shares
  slow: SlowLooks
  running: number
}

/** The calls of one connection: what its enabled parts declare, together, and never more. */
export class CallBudget {
  /** of the source as a whole, members aside */
  readonly source: Shares
  readonly #clock: Clock
  readonly #members = new Map<string, MemberCalls>()
  #parts: readonly (CallShare & { name: string; total: number })[] = []

  /** `slack`: so many times of what is declared may go out, for those that ask for everything once more at times. */
  constructor(clock: Clock, slack = 1) {
    this.#clock = clock
    this.source = new Shares(clock, slack)
  }

  /** The parts that are enabled now. */
  use(parts: readonly Sharer[], { isUnlisted, looksPerMinute = 0, things = 0 }: Load): void {
    const callsOf = ({ perMinute = 0, perLook = 0 }: Rhythm) => perMinute + perLook * looksPerMinute
    this.#parts = parts.map(({ name, calls, callsUnlisted }) => {
      const share = (isUnlisted && callsUnlisted) || calls
      return { ...share, name, total: callsOf(share) + callsOf(share.each ?? {}) * things }
    })
    this.source.set(new Map(this.#parts.map(({ name, total }) => [name, total])), waysPerMinute)
    for (const member of this.#members.values()) this.#share(member)
  }

  /** As many guests run there. */
  watch(member: string, running: number): void {
    const known = this.#of(member)
    if (known.running === running) return
    known.running = running
    this.#share(known)
  }

  unwatch(member: string): void {
    this.#members.delete(member)
  }

  node(name: string): Shares {
    return this.#of(name).lists
  }

  probes(node: string): Shares {
    return this.#of(node).probes
  }

  /** Counted apart: what is seen first is asked at once, which no share of a minute has room for. */
  slow(node: string): SlowLooks {
    return this.#of(node).slow
  }

  /** What the last minute cost the watched hosts, as a whole, by member and by part, and what it may cost. */
  count(connection: string): ConnectionCalls {
    const { source } = this
    const all = [...this.#members.values()]
    const sum = (read: (member: MemberCalls) => number) => all.reduce((total, one) => total + read(one), 0)
    const running = sum((member) => member.running)
    return {
      name: connection,
      listCallsPerMinute: source.count() + sum(({ lists }) => lists.count()),
      probeCallsPerMinute: sum(({ probes }) => probes.count()),
      slowCallsPerMinute: sum(({ slow }) => slow.count()),
      deferredCalls: source.deferred + sum(({ lists, probes }) => lists.deferred + probes.deferred),
      nodes: Object.fromEntries(
        [...this.#members].map(([name, { lists, probes, slow }]) => [
          name,
          {
            listCallsPerMinute: lists.count(),
            probeCallsPerMinute: probes.count(),
            slowCallsPerMinute: slow.count(),
            deferredCalls: lists.deferred + probes.deferred,
          },
        ]),
      ),
      budget: {
        listCallsPerMinute: source.limit + sum(({ lists }) => lists.limit),
        probeCallsPerMinute: sum(({ probes }) => probes.limit),
      },
      parts: [
        ...this.#parts.filter(hasShare).map(({ name, total, node = 0, guest = 0 }) => ({
          part: name,
          callsPerMinute:
            source.count(name) + sum(({ lists, probes }) => lists.count(name) + probes.count(name)),
          budgetPerMinute: total + node * all.length + guest * running,
        })),
        { part: WAYS, callsPerMinute: source.count(WAYS), budgetPerMinute: waysPerMinute },
      ],
    }
  }

  #of(name: string): MemberCalls {
    let member = this.#members.get(name)
    if (!member) {
      member = {
        lists: new Shares(this.#clock),
        probes: new Shares(this.#clock),
        slow: new SlowLooks(this.#clock),
        running: 0,
      }
      this.#members.set(name, member)
      this.#share(member)
    }
    return member
  }

  #share({ lists, probes, running }: MemberCalls): void {
    lists.set(new Map(this.#parts.map(({ name, node = 0 }) => [name, node])))
    probes.set(new Map(this.#parts.map(({ name, guest = 0 }) => [name, guest * running])))
  }
}

/** A part that only looks slowly is counted with the slow looks. */
const hasShare = ({ perMinute, perLook, each, node, guest }: CallShare) =>
  (perMinute ?? perLook ?? each ?? node ?? guest) !== undefined

/** Of one node, whichever parts ask: its few workers have others to answer too. */
const mostUnderWay = 4

/** Questions to one node that take it long. They are no part of the budget by the minute: few are under way at a time. */
export class SlowLooks {
  readonly #calls: SlidingWindow
  #underWay = 0

  constructor(clock: Clock) {
    this.#calls = new SlidingWindow(clock, 60_000)
  }

  /** Whether one more may go out; it is counted then, and has to be left. */
  enter(): boolean {
    if (this.#underWay >= mostUnderWay) return false
    this.#underWay++
    this.#calls.take(Infinity)
    return true
  }

  leave(): void {
    this.#underWay--
  }

  /** Calls of the last minute. */
  count(): number {
    return this.#calls.count()
  }
}
