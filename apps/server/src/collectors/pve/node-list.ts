import { PveGuest, readList } from './schema.ts'
import * as z from 'zod/mini'

const Line = z.looseObject({ maxcpu: z.optional(z.unknown()), cpus: z.optional(z.unknown()) })

/** A node's own list of its VMs or containers, in the form of the cluster's listing. */
export function readNodeList(type: PveGuest['type'], node: string, data: unknown): PveGuest[] {
  const lines = readList(Line, data, `/nodes/${node}/${type}`)
  return lines.flatMap((line) => {
    const parsed = PveGuest.safeParse({ ...line, type, node, maxcpu: line.maxcpu ?? line.cpus })
    return parsed.success ? [parsed.data] : []
  })
}
