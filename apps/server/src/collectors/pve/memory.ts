import type { Memory } from '@pulse/contract'
import { usageOf } from '@pulse/domain'
import type { PveGuestStatus, PveNodeMemory } from './schema.ts'

const MiB = 1024 * 1024

/** How much of the total is in use, and whether page cache is known not to be counted. */
export interface MemoryReading {
  used: number
  source: 'available' | 'cache' | 'rrd' | 'agent' | 'mem' | 'freemem' | 'used' | 'list'
  trusted: boolean
}

/** What a node has available according to its RRD, which PVE 9 records. */
export interface RrdMemory {
  available: number
}

/** The first source that can be trusted wins; `used` alone counts page cache. */
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

/** Fields whose absence means that another source is needed for the node's memory. */
export const lacksCacheFields = ({ available, avail, buffers, cached }: PveNodeMemory): boolean =>
  available === undefined && avail === undefined && buffers === undefined && cached === undefined

export interface GuestMemorySources {
  /** of the listing: with every poll */
  mem: number | undefined
  maxmem: number | undefined
  /** of status/current: every minute or two */
  status?: PveGuestStatus | undefined
  rrd?: RrdMemory | undefined
  /** MemAvailable of /proc/meminfo, read through the agent */
  agent?: { available: number; total: number } | undefined
}

/** A running guest's memory by the most trustworthy source there is. */
export function guestMemory(sources: GuestMemorySources): MemoryReading | undefined {
  const { mem, maxmem: total, status, rrd, agent } = sources
  if (!total) return undefined
  const { available, free = 0, buffers = 0, cached = 0 } = status?.meminfo ?? {}
  if (available !== undefined && available <= total) {
    return { used: total - available, source: 'available', trusted: true }
  }
  if (buffers > 0 || cached > 0) {
    return { used: below(total, total - free - buffers - cached), source: 'cache', trusted: true }
  }
  if (rrd) return { used: below(total, total - rrd.available), source: 'rrd', trusted: true }
  // The kernel keeps some memory to itself, so its total is a little below what the host gave.
  if (agent) return { used: below(total, agent.total - agent.available), source: 'agent', trusted: true }
  // Without the balloon driver mem is what the host spends on the guest, which can be more than it has.
  if (mem !== undefined && mem > 0 && mem <= total) return { used: mem, source: 'mem', trusted: false }
  const byBalloon = status && balloonUsed(status)
  if (byBalloon !== undefined) return { used: below(total, byBalloon), source: 'freemem', trusted: false }
  return mem === undefined ? undefined : { used: below(total, mem), source: 'mem', trusted: false }
}

/** `freemem` is relative to what the balloon leaves, and only believed if it fits `mem`. */
function balloonUsed({ freemem, mem, ballooninfo, balloon }: PveGuestStatus): number | undefined {
  const total = ballooninfo?.total_mem ?? balloon
  if (!freemem || !total || freemem > total) return undefined
  if (mem && Math.abs(mem + freemem - total) > 128 * MiB) return undefined
  return total - freemem
}

/** A jump from a trusted source to a lesser one is not believed for this long: it would draw a sawtooth. */
const holdMs = 60_000

export interface HeldReading extends MemoryReading {
  at: number
}

export function holdTrusted(
  last: HeldReading | undefined,
  next: MemoryReading | undefined,
  now: number,
): HeldReading | undefined {
  if (next?.trusted) return { ...next, at: now }
  if (last?.trusted && now - last.at <= holdMs) return last
  return next && { ...next, at: now }
}

/** As the state carries it: total is what the guest was given, the balloon stands beside it. */
export function toMemory(
  reading: MemoryReading | undefined,
  total: number | undefined,
  extra: { balloon?: number | undefined; swapUsed?: number | undefined; swapTotal?: number | undefined } = {},
): Memory | undefined {
  if (!reading || !total) return undefined
  const { balloon, swapUsed, swapTotal } = extra
  return {
    ...usageOf(Math.min(reading.used, total), total),
    ...(balloon !== undefined && balloon > 0 && balloon < total && { balloon }),
    ...(swapTotal !== undefined &&
      swapTotal > 0 && { swapTotal, swapUsed: Math.min(swapUsed ?? 0, swapTotal) }),
  }
}

const below = (total: number, used: number) => Math.min(total, Math.max(0, used))
