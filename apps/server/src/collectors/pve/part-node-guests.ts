import * as z from 'zod/mini'
import { deadlineFor } from '../source.ts'
import { freshMs } from './age.ts'
import type { ClusterContext } from './context.ts'
import type { AskNode, NodeRun, Part, WatchedNode } from './part.ts'
import { PveGuest, readList } from './schema.ts'

const NAME = 'node guests'
const intervalMs = 60_000
/** Interval of checks whether the listing fails. */
const idleMs = 10_000

/** Each node's list of its own guests, while the cluster's listing fails. */
export const nodeGuests: Part = {
  name: NAME,
  calls: {},
  callsUnlisted: { node: 2 },
  start: (context) => ({ node: (node, ask) => watch(context, node, ask) }),
}

function watch(context: ClusterContext, { name, index }: WatchedNode, ask: AskNode): NodeRun {
  const { guests, health } = context
  const shares = context.budget.node(name)

  /** These lists have only the host's view. Their cpu is 0 for most guests, so the last known one is used. */
  const listed = (type: 'qemu' | 'lxc', data: unknown) =>
    readNodeList(type, name, data).map((entry) => ({
      ...entry,
      cpu: entry.cpu || guests.get(entry.vmid)?.raw.cpu,
    }))

  return {
    loops: [
      {
        name: 'guests',
        intervalMs,
        firstAfterMs: 40 * index,
        deadlineMs: () => 2 * deadlineFor(context.pace()),
        wakes: ['unlisted'],
        hold: () => (context.listsByNode() ? 0 : idleMs),
        /** two lists, and neither without the other */
        pay() {
          const waitMs = shares.take(NAME)
          if (waitMs > 0) return waitMs
          const secondMs = shares.take(NAME)
          if (secondMs > 0) shares.refund(NAME)
          return secondMs
        },
        async run(signal) {
          const vms = await ask('/qemu', signal)
          const containers = await ask('/lxc', signal)
          const entries = [...listed('qemu', vms.data), ...listed('lxc', containers.data)]
          guests.list(entries, containers.at, name)
          health.listed(containers.at, freshMs.nodeGuests)
          return containers.at
        },
      },
    ],
  }
}

const unknown = z.optional(z.unknown())
const Line = z.looseObject({ maxcpu: unknown, cpus: unknown, mem: unknown, memhost: unknown })

/** A node's own list of its VMs or containers, in the form of the cluster's listing. */
export function readNodeList(type: PveGuest['type'], node: string, data: unknown): PveGuest[] {
  const lines = readList(Line, data, `/nodes/${node}/${type}`)
  return lines.flatMap((line) => {
    const parsed = PveGuest.safeParse({
      ...line,
      type,
      node,
      maxcpu: line.maxcpu ?? line.cpus,
      // For VMs these lists have the host's memory use, in the field for the guest's.
      ...(type === 'qemu' && { mem: undefined, memhost: line.memhost ?? line.mem }),
    })
    return parsed.success ? [parsed.data] : []
  })
}
