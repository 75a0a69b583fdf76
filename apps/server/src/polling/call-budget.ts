import type { ConnectionCalls } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { SlidingWindow } from '../timing/rate-limit.ts'
import { Shares } from './shares.ts'

/** Calls per minute, and per look at the source. */
interface Rhythm {
  perMinute?: number
  perLook?: number
}

/** The most calls that a part makes in steady state, to any host unless a field says otherwise. */
export interface CallShare extends Rhythm {
  /** per item that is polled individually, such as a mail gateway */
  each?: Rhythm
  /** per minute, to each member */
  node?: number
  /** per minute, for each running guest; counted separately from the other calls */
  guest?: number
}

interface Sharer {
  name: string
  calls: CallShare
  callsUnlisted?: CallShare
}

/** The factors for the shares of the parts. */
interface Load {
  /** the cluster's guest list fails, so that each node must list its own guests */
  isUnlisted?: boolean
  looksPerMinute?: number
  /** the number of items polled individually */
  things?: number
}

/** Calls of no part: retries, sign-ins, and addresses that are tried again. */
export const OTHER_CALLS = 'other ways'
export const otherCallsPerMinute = 1

interface MemberCalls {
  lists: Shares
  probes: Shares
  slow: SlowLooks
  running: number
}

/** The calls of one connection, limited to the sum of what its enabled parts declare. */
export class CallBudget {
  /** to the source as a whole, without its members */
  readonly source: Shares
  readonly #clock: Clock
  readonly #members = new Map<string, MemberCalls>()
  #parts: readonly (CallShare & { name: string; total: number })[] = []

  /** `slack` multiplies the limit, for sources that sometimes ask for everything once more. */
  constructor(clock: Clock, slack = 1) {
    this.#clock = clock
    this.source = new Shares(clock, slack)
  }

  /** Sets the enabled parts. */
  use(parts: readonly Sharer[], { isUnlisted, looksPerMinute = 0, things = 0 }: Load): void {
    const callsOf = ({ perMinute = 0, perLook = 0 }: Rhythm) => perMinute + perLook * looksPerMinute
    this.#parts = parts.map(({ name, calls, callsUnlisted }) => {
      const share = (isUnlisted && callsUnlisted) || calls
      return { ...share, name, total: callsOf(share) + callsOf(share.each ?? {}) * things }
    })
    this.source.set(new Map(this.#parts.map(({ name, total }) => [name, total])), otherCallsPerMinute)
    for (const member of this.#members.values()) this.#share(member)
  }

  /** Sets the number of guests running on the member. */
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

  /** Counted separately: a new item is polled at once, and no per-minute share has room for that. */
  slow(node: string): SlowLooks {
    return this.#of(node).slow
  }

  /** The calls of the last minute to the watched hosts, in total, by member and by part, with the limit. */
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
        {
          part: OTHER_CALLS,
          callsPerMinute: source.count(OTHER_CALLS),
          budgetPerMinute: otherCallsPerMinute,
        },
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

/** A part that makes only slow calls is counted with the slow looks. */
const hasShare = ({ perMinute, perLook, each, node, guest }: CallShare) =>
  (perMinute ?? perLook ?? each ?? node ?? guest) !== undefined

/** For one node and all parts: its few worker processes must serve other clients too. */
const mostUnderWay = 4

/** Calls that take one node long. Their concurrency is limited instead of their number per minute. */
export class SlowLooks {
  readonly #calls: SlidingWindow
  #underWay = 0

  constructor(clock: Clock) {
    this.#calls = new SlidingWindow(clock, 60_000)
  }

  /** Returns whether one more call may start. If so, it is counted, and the caller must leave afterwards. */
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
