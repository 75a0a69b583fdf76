import type { DevicePins, Node, PoolPins } from '../estate/estate.ts'
import type { Pool } from '../estate/disks.ts'
import { ApiError } from '../api/api-error.ts'

export function poolList(node: Node) {
  return poolsOf(node).map((pool) => {
    const allocated = Math.floor(pool.sizeBytes * 0.37)
    return {
      name: pool.name,
      size: pool.sizeBytes,
      alloc: allocated,
      free: pool.sizeBytes - allocated,
      frag: pool.fragmentation,
      dedup: 1,
      health: pool.health,
    }
  })
}

interface Vdev {
  name: string
  leaf: 0 | 1
  state?: string
  read?: number
  write?: number
  cksum?: number
  msg: string
  children?: Vdev[]
}

const trouble: Readonly<Record<string, { status: string; action: string }>> = {
  DEGRADED: {
    status:
      'One or more devices has been removed by the administrator. Sufficient replicas exist for the pool to continue functioning in a degraded state.',
    action: "Online the device using 'zpool online' or replace the device with 'zpool replace'.",
  },
  FAULTED: {
    status: 'One or more devices are faulted in response to persistent errors.',
    action: "Replace the faulted device, or use 'zpool clear' to mark the device repaired.",
  },
}

export function poolDetail(node: Node, name: string) {
  const pool = poolsOf(node).find((one) => one.name === name)
  if (!pool) throw new ApiError(500, `cannot open '${name}': no such pool`)
  return {
    name,
    state: pool.health,
    ...trouble[pool.health],
    scan: pool.pins.scan ?? 'scrub repaired 0B in 00:05:35 with 0 errors on Sun Oct 12 00:29:36 2025',
    errors: pool.pins.errors ?? 'No known data errors',
    leaf: 0,
    children: [dataTree(node, pool), ...(name === 'tank' ? extras : [])],
  }
}

function dataTree(node: Node, pool: PoolState): Vdev {
  const leaves = pool.members.map((devpath, index): Vdev => {
    const disk = node.disks.find((one) => one.devpath === devpath)
    const link = `/dev/disk/by-id/${disk?.model.replaceAll(' ', '_')}_${disk?.serial}-part3`
    const pinned = pinsOf(pool, [link, devpath])
    if (pinned) return vdev(link, 1, pinned)
    // The last disk causes the problem of the pool.
    const lost = pool.health !== 'ONLINE' && !pool.pins.devices && index === pool.members.length - 1
    return vdev(link, 1, lost ? { state: 'REMOVED', write: 12, msg: 'was /dev/sdd1' } : {})
  })
  const group = { ...vdev(`${pool.layout}-0`, 0, { state: pool.health }), children: leaves }
  return { ...vdev(pool.name, 0, { state: pool.health }), children: [group] }
}

function pinsOf({ pins }: PoolState, names: readonly string[]): DevicePins | undefined {
  const found = Object.entries(pins.devices ?? {}).find(([part]) => names.some((name) => name.includes(part)))
  return found?.[1]
}

const vdev = (
  name: string,
  leaf: 0 | 1,
  { state = 'ONLINE', read = 0, write = 0, cksum = 0, msg = '' }: DevicePins,
): Vdev => ({ name, leaf, state, read, write, cksum, msg })

/** Sections beside the data have neither state nor counters. */
const extras: Vdev[] = [
  { name: 'logs', leaf: 0, msg: '', children: [vdev('sda4', 1, {})] },
  { name: 'cache', leaf: 0, msg: '', children: [vdev('sda5', 1, {})] },
  { name: 'spares', leaf: 0, msg: '', children: [{ name: 'sde', leaf: 1, state: 'AVAIL', msg: '' }] },
]

interface PoolState extends Pool {
  pins: PoolPins
}

const poolsOf = ({ pools, pins }: Node): PoolState[] =>
  pools.map((pool) => {
    const own = pins.pools?.[pool.name] ?? {}
    return { ...pool, health: own.health ?? pool.health, pins: own }
  })
