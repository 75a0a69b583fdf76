import type { ZfsDevice, ZfsPool } from '@pulse/contract'
import type { PveZfsDetail, PveZfsPool, PveZfsVdev } from './schema-disks.ts'

/** One pool of a node, by the list of its pools and by its own report. */
export interface PoolFacts {
  name: string
  /** by whichever was asked last */
  state: string
  /** by the list; absent where it does not tell */
  sizes?: { total: number; used: number | undefined; free: number | undefined } | undefined
  detail?: PveZfsDetail | undefined
  /** when the list or the report was read last; monotonic */
  at: number
}

/** That are not well. */
const mostDevices = 200
const fine = new Set(['ONLINE', 'SPARE', 'AVAIL', 'INUSE'])
/** Groups beside the data, which PVE gives no state. */
const groups: Readonly<Record<string, string>> = {
  logs: 'log',
  log: 'log',
  cache: 'cache',
  spares: 'spare',
  spare: 'spare',
}

export const sizesOf = ({ size, alloc, free }: PveZfsPool): PoolFacts['sizes'] =>
  size ? { total: size, used: alloc, free } : undefined

export const healthOf = ({ health }: PveZfsPool): string => health ?? 'UNKNOWN'

export function toZfsPool({ name, state, detail }: PoolFacts): ZfsPool {
  const leaves: PveZfsVdev[] = []
  const devices: ZfsDevice[] = []
  for (const child of detail?.children ?? []) walk(child, name, undefined, leaves, devices)
  const sum = (read: (leaf: PveZfsVdev) => number) => leaves.reduce((total, leaf) => total + read(leaf), 0)
  return {
    name,
    state,
    ...(detail?.status && { status: detail.status }),
    ...(detail?.scan && { scan: detail.scan }),
    readErrors: sum(({ read }) => read),
    writeErrors: sum(({ write }) => write),
    checksumErrors: sum(({ cksum }) => cksum),
    devices: devices.slice(0, mostDevices),
  }
}

/** A group counts what its disks count, so only these are summed; whatever is not well is listed. */
function walk(
  vdev: PveZfsVdev,
  pool: string,
  group: string | undefined,
  leaves: PveZfsVdev[],
  devices: ZfsDevice[],
): void {
  const { name = '', state, read, write, cksum, msg, children } = vdev
  if (children.length === 0) leaves.push(vdev)
  const type = typeOf(name, pool, group, children.length > 0)
  const hasErrors = read + write + cksum > 0
  const isFine = state === undefined ? sections.has(type) : fine.has(state)
  if (name !== pool && (!isFine || hasErrors))
    devices.push({
      name,
      type,
      state: state ?? 'UNKNOWN',
      readErrors: read,
      writeErrors: write,
      checksumErrors: cksum,
      ...(msg?.trim() && { message: msg.trim() }),
    })
  for (const child of children) walk(child, pool, group ?? groups[name], leaves, devices)
}

const sections = new Set(Object.values(groups))

function typeOf(name: string, pool: string, group: string | undefined, hasChildren: boolean): string {
  if (group !== undefined) return group
  const own = groups[name]
  if (own !== undefined) return own
  if (name.startsWith('mirror')) return 'mirror'
  if (/^d?raidz?\d?/.test(name)) return 'raidz'
  if (/^(spare|replacing)-\d/.test(name)) return 'spare-group'
  return hasChildren || name === pool ? 'vdev' : 'disk'
}
