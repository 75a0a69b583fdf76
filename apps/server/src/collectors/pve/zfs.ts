import type { ZfsDevice, ZfsPool } from '@pulse/contract'
import type { PveZfsDetail, PveZfsPool, PveZfsVdev } from './schema-disks.ts'

/** One pool of a node, from the list of pools and from its own report. */
export interface PoolFacts {
  name: string
  /** from the latest answer */
  state: string
  /** from the list; absent if the list lacks them */
  sizes?: { total: number; used: number | undefined; free: number | undefined } | undefined
  detail?: PveZfsDetail | undefined
  /** the last read of the list or the report; monotonic */
  at: number
}

/** The limit of faulty devices. */
const mostDevices = 200
const fine = new Set(['ONLINE', 'SPARE', 'AVAIL', 'INUSE'])
/** Auxiliary groups, for which PVE reports no state. */
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

/** A group's counters include its disks', so only disks are summed. Every faulty entry is listed. */
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
