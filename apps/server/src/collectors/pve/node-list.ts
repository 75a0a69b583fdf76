import { PveGuest, readList } from './schema.ts'
import * as z from 'zod/mini'

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
      // Of VMs these lists know the host's view alone, under the name of the guest's.
      ...(type === 'qemu' && { mem: undefined, memhost: line.memhost ?? line.mem }),
    })
    return parsed.success ? [parsed.data] : []
  })
}
