import { toSourceError } from '../source-error.ts'
import type { Desk } from './desk.ts'
import { questionFailed } from './failed.ts'
import type { GuestFacts } from './guest-facts.ts'
import type { AskNode, NodeRun, Part, WatchedNode } from './part.ts'

const NAME = 'guest snapshots'
const second = 1_000
const minute = 60 * second
/** Between two calls to a node about guests that do not run there; those whose snapshots changed come first. */
const paceMs = 10 * minute
/** Of one of them, where they are few. */
const everyMs = 60 * minute
const limits = { headersMs: 10 * second, totalMs: 15 * second, maxBytes: 1024 * 1024 }

/**
 * The snapshots of every guest. Those that run are asked among their other questions, every ten minutes; the others from
 * what the lists leave. It is a file of the cluster: no guest notices.
 */
export const guestSnapshots: Part = {
  name: NAME,
  flags: ['monitorBackups'],
  isWanted: ({ backupsMs }) => backupsMs !== undefined,
  calls: { node: 0.1 },
  callsUnlisted: {},
  start(desk) {
    const { snapshots, guests, runs } = desk
    const idle = new Map<string, number[]>()
    const triedAt = new Map<number, number>()
    snapshots.isWanted = true
    return {
      node: (node, ask) => watch(desk, { idle, triedAt }, node, ask),
      listed() {
        idle.clear()
        for (const { vmid, node, status, wants } of guests.all()) {
          if (status === 'running') {
            if (runs.changedAt(vmid) > snapshots.readAt(vmid)) wants.add('snapshots')
            continue
          }
          const there = idle.get(node)
          if (there) there.push(vmid)
          else idle.set(node, [vmid])
        }
      },
      forget(left) {
        if (!('vmid' in left)) return
        triedAt.delete(left.vmid)
        snapshots.forget(left.vmid)
      },
      stop() {
        snapshots.isWanted = false
        snapshots.clear()
      },
    }
  },
}

interface Idle {
  /** guests that do not run, by node */
  idle: ReadonlyMap<string, readonly number[]>
  triedAt: Map<number, number>
}

function watch(desk: Desk, { idle, triedAt }: Idle, { name, index }: WatchedNode, ask: AskNode): NodeRun {
  const { snapshots, runs, guests, clock } = desk
  let askedAt = -Infinity

  function dueAt(vmid: number): number {
    const lastAt = Math.max(triedAt.get(vmid) ?? -Infinity, snapshots.readAt(vmid))
    return runs.changedAt(vmid) > lastAt ? lastAt + minute : lastAt + everyMs
  }

  function next(): { guest: GuestFacts; at: number } | undefined {
    let found: { guest: GuestFacts; at: number } | undefined
    for (const vmid of idle.get(name) ?? []) {
      const at = dueAt(vmid)
      if (found && at >= found.at) continue
      const guest = guests.get(vmid)
      // Whoever is at work on it is not disturbed.
      if (guest?.node === name && guest.status === 'stopped' && guest.lock === undefined)
        found = { guest, at }
    }
    return found
  }

  function holdMs(): number {
    const one = next()
    if (!one) return 10 * second
    const at = Math.max(one.at, askedAt + paceMs)
    return Math.min(10 * second, Math.max(0, at - clock.monotonic()))
  }

  return {
    loops: [
      {
        name: NAME,
        everyMs: second,
        firstAfterMs: 15 * second + 200 * index,
        deadlineMs: 20 * second,
        hold: holdMs,
        async run(signal) {
          const guest = next()?.guest
          if (!guest) return
          const { vmid, raw } = guest
          askedAt = clock.monotonic()
          triedAt.set(vmid, askedAt)
          try {
            const { data, at } = await ask(`/${raw.type}/${vmid}/snapshot`, signal, limits)
            snapshots.learn(guest, data, at)
            desk.health.answered(`${name} ${NAME}`, at)
            desk.publish(10 * second)
          } catch (cause) {
            snapshots.fail(vmid)
            throw cause
          }
        },
        failed(cause, failures) {
          // A guest that moved away meanwhile, or of a kind without snapshots, is asked again in its turn.
          const error = toSourceError(cause)
          if (error.code === 'server' || error.code === 'not_found') return second
          return (failures >= 3 ? questionFailed(desk, `${name} ${NAME}`, cause) : undefined) ?? minute
        },
      },
    ],
  }
}
