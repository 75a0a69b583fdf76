import { backupsEvery } from '../source.ts'
import { toSourceError } from '../source-error.ts'
import { SOON_MS } from '../../polling/publisher.ts'
import type { ClusterContext } from './context.ts'
import type { AskNode, NodeRun, Part, PartLoop, WatchedNode } from './part.ts'
import { Rotation } from './rotation.ts'

const NAME = 'guest snapshots'
const second = 1_000
const minute = 60 * second
/** The shortest interval per guest. The settings may have a longer one. */
const leastIntervalMs = 30 * minute
/** The pause between two calls of a loop, and the number of loops per node. */
const gapMs = 100
const loopsOfNode = 2
/** Interval of checks which guest is due. */
const lookMs = { usual: 10 * second, none: second }
const limits = { headersMs: 10 * second, totalMs: 15 * second, maxBytes: 1024 * 1024 }

/**
 * The snapshots of every guest, running or not. Guests that were never read come first, and a task that may
 * have changed snapshots causes a read. PVE reads a file of the cluster for this, so guests are not affected.
 */
export const guestSnapshots: Part = {
  name: NAME,
  flags: ['monitorBackups'],
  isWanted: ({ backupsMs }) => backupsMs !== undefined,
  calls: {},
  start(context) {
    const { snapshots } = context
    const round: Round = { there: new Map(), turns: new Rotation(), done: new Set(), left: 0, isFirst: true }
    snapshots.isWanted = true
    return {
      node: (node, ask) => watch(context, round, node, ask),
      listed: () => gather(context, round),
      reading() {
        const { done, left } = round
        return round.isFirst ? { what: NAME, done: done.size, of: done.size + left } : undefined
      },
      forget(left) {
        if ('node' in left) return round.turns.forgetNode(left.node)
        round.turns.forget(left.vmid)
        round.done.delete(left.vmid)
        snapshots.forget(left.vmid)
      },
      stop() {
        snapshots.isWanted = false
        snapshots.clear()
      },
    }
  },
}

interface Round {
  /** guests that can be queried, by node */
  there: Map<string, number[]>
  turns: Rotation<number>
  /** guests that have answered or refused, and how many others are reachable */
  done: Set<number>
  left: number
  /** the first round is not complete */
  isFirst: boolean
}

/** Guests that can be polled: not locked, and on a node that answers. */
function gather({ guests, nodes }: ClusterContext, round: Round): void {
  round.there.clear()
  for (const { vmid, node, status, lock, missingSince } of guests.all()) {
    if (lock !== undefined || missingSince !== undefined || status === 'unknown') continue
    if (nodes.get(node)?.listedStatus === 'offline') continue
    const there = round.there.get(node)
    if (there) there.push(vmid)
    else round.there.set(node, [vmid])
  }
  if (!round.isFirst) return
  const all = [...round.there.values()].flat()
  round.left = all.reduce((count, vmid) => count + (round.done.has(vmid) ? 0 : 1), 0)
  if (guests.size > 0 && round.left === 0) round.isFirst = false
}

function watch(context: ClusterContext, round: Round, { name }: WatchedNode, ask: AskNode): NodeRun {
  const { snapshots, runs, guests, clock } = context
  const intervalMs = () => backupsEvery(leastIntervalMs, context.pace())

  const next = () =>
    round.turns.next(name, round.there.get(name) ?? [], intervalMs(), (vmid) => runs.changedAt(vmid))

  function holdMs(): number {
    const one = next()
    if (!one) return round.isFirst ? lookMs.none : lookMs.usual
    return Math.min(lookMs.usual, Math.max(0, one.at - clock.monotonic()))
  }

  function finish(vmid: number): void {
    if (!round.isFirst || round.done.has(vmid)) return
    round.done.add(vmid)
    round.left--
    round.isFirst = round.left > 0
    context.publish(round.isFirst ? second : SOON_MS)
  }

  const loop: PartLoop = {
    name: NAME,
    intervalMs: gapMs,
    firstAfterMs: second,
    deadlineMs: 20 * second,
    isSlow: true,
    hold: holdMs,
    async run(signal) {
      const due = next()
      const guest = due && due.at <= clock.monotonic() ? guests.get(due.key) : undefined
      if (!due || !guest) return
      const { vmid, raw } = guest
      round.turns.begin(name, vmid, clock.monotonic())
      try {
        const { data, at } = await ask(`/${raw.type}/${vmid}/snapshot`, signal, limits)
        snapshots.learn(guest, data, at, intervalMs())
        round.turns.answered(vmid)
        context.health.answered(`${name} ${NAME}`, at)
        context.publish(10 * second)
        finish(vmid)
      } catch (cause) {
        snapshots.fail(vmid)
        if (isOfGuest(cause)) finish(vmid)
        else round.turns.missed(vmid, clock.monotonic(), intervalMs())
        throw cause
      }
    },
    failed(cause, failures) {
      if (isOfGuest(cause)) return second
      // Others would be refused as well. The refusal is reported, and the progress ends.
      if (cause.isRefusal) round.isFirst = false
      return (failures >= 3 ? context.failed(`${name} ${NAME}`, cause) : undefined) ?? minute
    },
  }
  return { loops: Array.from({ length: loopsOfNode }, () => loop) }
}

/** A guest that moved meanwhile, or of a kind without snapshots, is queried again in the next round. */
function isOfGuest(cause: unknown): boolean {
  const { code } = toSourceError(cause)
  return code === 'server' || code === 'not_found'
}
