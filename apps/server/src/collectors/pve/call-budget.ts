import type { ConnectionCalls } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { Shares } from '../../polling/shares.ts'
import { SlowLooks } from './slow-looks.ts'

/** The calls that a part makes in a minute at most, in steady state. */
export interface CallShare {
  /** to whichever member answers */
  cluster?: number
  /** to each node */
  node?: number
  /** about each running guest: these are kept apart from the others */
  guest?: number
}

interface Sharer {
  name: string
  calls: CallShare
  callsUnlisted?: CallShare
}

/** Of no part: further attempts, sign-ins, and addresses that are tried again. */
export const WAYS = 'other ways'
export const waysPerMinute = 1

interface WatchedCalls {
  lists: Shares
  probes: Shares
  slow: SlowLooks
  running: number
}

/** The calls of one connection: what its enabled parts declare, together, and never more. */
export class CallBudget {
  readonly cluster: Shares
  readonly #clock: Clock
  readonly #nodes = new Map<string, WatchedCalls>()
  #parts: readonly Sharer[] = []

  constructor(clock: Clock) {
    this.#clock = clock
    this.cluster = new Shares(clock)
  }

  /** The parts that are enabled now, and whether nodes have to list their own guests. */
  use(parts: readonly Sharer[], isUnlisted: boolean): void {
    this.#parts = parts.map(({ name, calls, callsUnlisted }) => ({
      name,
      calls: isUnlisted ? (callsUnlisted ?? calls) : calls,
    }))
    this.cluster.set(new Map(this.#parts.map(({ name, calls }) => [name, calls.cluster ?? 0])), waysPerMinute)
    for (const node of this.#nodes.values()) this.#share(node)
  }

  /** As many guests run there. */
  watch(node: string, running: number): void {
    const known = this.#of(node)
    if (known.running === running) return
    known.running = running
    this.#share(known)
  }

  unwatch(node: string): void {
    this.#nodes.delete(node)
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

  /** What the last minute cost the watched hosts, as a whole, by node and by part, and what it may cost. */
  count(connection: string): ConnectionCalls {
    const { cluster } = this
    const all = [...this.#nodes.values()]
    const sum = (read: (node: WatchedCalls) => number) => all.reduce((total, node) => total + read(node), 0)
    const running = sum((node) => node.running)
    return {
      name: connection,
      listCallsPerMinute: cluster.count() + sum(({ lists }) => lists.count()),
      probeCallsPerMinute: sum(({ probes }) => probes.count()),
      slowCallsPerMinute: sum(({ slow }) => slow.count()),
      deferredCalls: cluster.deferred + sum(({ lists, probes }) => lists.deferred + probes.deferred),
      nodes: Object.fromEntries(
        [...this.#nodes].map(([name, { lists, probes, slow }]) => [
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
        listCallsPerMinute: cluster.limit + sum(({ lists }) => lists.limit),
        probeCallsPerMinute: sum(({ probes }) => probes.limit),
      },
      parts: [
        ...this.#parts.filter(hasShare).map(({ name, calls }) => ({
          part: name,
          callsPerMinute:
            cluster.count(name) + sum((node) => node.lists.count(name) + node.probes.count(name)),
          budgetPerMinute:
            (calls.cluster ?? 0) + (calls.node ?? 0) * all.length + (calls.guest ?? 0) * running,
        })),
        { part: WAYS, callsPerMinute: cluster.count(WAYS), budgetPerMinute: waysPerMinute },
      ],
    }
  }

  #of(name: string): WatchedCalls {
    let node = this.#nodes.get(name)
    if (!node) {
      node = {
        lists: new Shares(this.#clock),
        probes: new Shares(this.#clock),
        slow: new SlowLooks(this.#clock),
        running: 0,
      }
      this.#nodes.set(name, node)
      this.#share(node)
    }
    return node
  }

  #share({ lists, probes, running }: WatchedCalls): void {
    lists.set(new Map(this.#parts.map(({ name, calls }) => [name, calls.node ?? 0])))
    probes.set(new Map(this.#parts.map(({ name, calls }) => [name, (calls.guest ?? 0) * running])))
  }
}

/** A part that only looks slowly is counted with the slow looks. */
const hasShare = ({ calls: { cluster, node, guest } }: Sharer) => (cluster ?? node ?? guest) !== undefined
