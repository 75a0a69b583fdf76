import type { Memory, MemoryEstimate } from '@pulse/contract'
import { usageOf } from '@pulse/domain'
import type { PveNodeMemory } from './schema.ts'

/** The used memory, and whether it is known to exclude page cache. */
export interface MemoryReading {
  used: number
  source: 'available' | 'cache' | 'rrd' | 'agent' | 'mem' | 'freemem' | 'used' | 'list'
  trusted: boolean
}

/** The available memory of a node from its RRD data, which PVE 9 records. */
export interface RrdMemory {
  available: number
}

/** The first trustworthy source wins. `used` alone includes page cache. */
export function nodeMemory(memory: PveNodeMemory, rrd: RrdMemory | undefined): MemoryReading | undefined {
  const { total, used, free, available, avail, buffers, cached } = memory
  if (!total) return undefined
  const unused = available ?? avail
  if (unused !== undefined) return { used: below(total, total - unused), source: 'available', trusted: true }
  if (buffers !== undefined || cached !== undefined) {
    const unusedByCache = (free ?? 0) + (buffers ?? 0) + (cached ?? 0)
    const unusedByUsed = used === undefined ? 0 : total - used
    return {
      used: below(total, total - Math.max(unusedByCache, unusedByUsed)),
      source: 'cache',
      trusted: true,
    }
  }
  if (rrd) return { used: below(total, total - rrd.available), source: 'rrd', trusted: true }
  return used === undefined ? undefined : { used: below(total, used), source: 'used', trusted: false }
}

/** Whether the node's memory needs another source, because these fields are absent. */
export const lacksCacheFields = ({ available, avail, buffers, cached }: PveNodeMemory): boolean =>
  available === undefined && avail === undefined && buffers === undefined && cached === undefined

interface MemoryExtra {
  balloon?: number | undefined
  swapUsed?: number | undefined
  swapTotal?: number | undefined
  estimate?: MemoryEstimate | undefined
}

/** The form in the state. `total` is the configured size, and the balloon is separate. */
export function toMemory(
  reading: MemoryReading | undefined,
  total: number | undefined,
  extra: MemoryExtra = {},
): Memory | undefined {
  if (!reading || !total) return undefined
  const { balloon, swapUsed, swapTotal, estimate } = extra
  return {
    ...usageOf(Math.min(reading.used, total), total),
    ...(balloon !== undefined && balloon > 0 && balloon < total && { balloon }),
    ...(swapTotal !== undefined &&
      swapTotal > 0 && {
        swapTotal,
        ...(swapUsed !== undefined && { swapUsed: Math.min(swapUsed, swapTotal) }),
      }),
    ...(estimate && { estimate }),
  }
}

const below = (total: number, used: number) => Math.min(total, Math.max(0, used))
