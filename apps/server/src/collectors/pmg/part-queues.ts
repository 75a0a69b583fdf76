import type { Deadline } from '../../polling/loop.ts'
import type { HostPart } from '../proxmox/host-part.ts'
import { readList } from '../proxmox/schema.ts'
import { toSourceError } from '../source-error.ts'
import { type NodeQueues, type PmgCache, reachable } from './cache.ts'
import { PmgQueueShape, queueAges } from './schema.ts'

const names = ['active', 'deferred', 'hold', 'incoming'] as const
type QueueName = (typeof names)[number]

const entryOf = (node: string) => `queues of ${node}`

/** The number of queued mails on each node, and the age of the oldest. */
export const queues: HostPart<PmgCache> = {
  name: 'queues',
  flags: ['monitorQueues'],
  calls: { each: { perLook: names.length } },
  start({ cache, clock, get, turn, health }) {
    const oldest = new Map<string, OldestMail>()

    async function lookAt(node: string, signal: AbortSignal, deadline: Deadline): Promise<NodeQueues> {
      const counts: Record<QueueName, number> = { active: 0, deferred: 0, hold: 0, incoming: 0 }
      const ages: number[] = []
      for (const name of names) {
        const path = `/nodes/${node}/postfix/qshape`
        await turn(signal, deadline)
        const rows = readList(PmgQueueShape, await get(`${path}?queue=${name}`, signal), path)
        // The sum of all domains.
        const all = rows.find(({ domain }) => domain === 'TOTAL')
        counts[name] = all?.total ?? 0
        for (const [bracket, count] of (all?.ages ?? []).entries())
          ages[bracket] = (ages[bracket] ?? 0) + count
      }
      const at = clock.monotonic()
      const known = oldest.get(node) ?? new OldestMail()
      oldest.set(node, known)
      const total = names.reduce((sum, name) => sum + counts[name], 0)
      return { status: { total, ...counts }, oldestAt: known.look({ ages }, at), at }
    }

    return {
      loops: [
        {
          name: 'queues',
          right: 'Auditor',
          async run(signal, deadline) {
            const nodes = reachable(cache)
            for (const node of nodes) {
              if (signal.aborted) return
              try {
                cache.queues.set(node, await lookAt(node, signal, deadline))
                health.answered(entryOf(node))
              } catch (cause) {
                if (signal.aborted) return
                const error = toSourceError(cause)
                cache.queues.set(node, { ...cache.queues.get(node), error: error.message })
                if (nodes.length === 1) throw error
                // The cluster reports an offline member once.
                if (error.code !== 'node_offline') health.failed(entryOf(node), error, 'Auditor')
              }
            }
            const listed = new Set(cache.members?.rows.map(({ name }) => name))
            for (const node of cache.queues.keys()) if (!listed.has(node)) cache.queues.delete(node)
            health.forgetAll(
              (what) => what.startsWith(entryOf('')) && !nodes.some((node) => what === entryOf(node)),
            )
          },
        },
      ],
      stop() {
        cache.queues.clear()
        health.forgetAll((what) => what.startsWith(entryOf('')))
      },
    }
  },
}

const minute = 60_000

/**
 * The arrival time of a queue's oldest mail. A poll gives only a bracket of ages. While the same mail may be
 * the oldest, each poll narrows the range, so that the reported time does not move with every poll.
 */
export class OldestMail {
  #after = -Infinity
  #before = Infinity

  /** `at` is the time of the poll. Returns undefined for an empty queue. */
  look({ ages }: Pick<PmgQueueShape, 'ages'>, at: number): number | undefined {
    const bracket = ages.findLastIndex((count) => count > 0)
    if (bracket < 0) {
      this.#after = -Infinity
      this.#before = Infinity
      return undefined
    }
    const age = queueAges[bracket]
    const after = age === undefined ? -Infinity : at - age * minute
    const before = at - (queueAges[bracket - 1] ?? 0) * minute
    const isSame = after < this.#before && before > this.#after
    this.#after = isSame ? Math.max(this.#after, after) : after
    this.#before = isSame ? Math.min(this.#before, before) : before
    // Older than the start of the last bracket. How much older is unknown.
    return this.#after === -Infinity ? this.#before : this.#after
  }
}
