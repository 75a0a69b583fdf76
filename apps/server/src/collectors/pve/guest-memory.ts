import type { MemoryEstimate } from '@pulse/contract'
import type { MemoryReading, RrdMemory } from './memory.ts'
import type { PveGuest, PveGuestStatus } from './schema.ts'

const MiB = 1024 * 1024
const minute = 60_000

/**
 * The share of the hypervisor's used memory that a guest really uses, from a better source. The rest is page
 * cache, which the guest releases on demand. The source answers every few minutes, the hypervisor with every
 * listing, so each new figure is multiplied by the latest share. As a share instead of an amount, the result
 * always lies between zero and the hypervisor's figure. Changes between two answers are assumed to have the
 * same composition.
 */
export interface MemoryShare {
  source: 'available' | 'cache' | 'rrd' | 'agent'
  /** 0-1 */
  share: number
  /** bytes, at the time of the answer */
  used: number
  /** monotonic */
  at: number
}

/** The share in use now. It approaches the known share without jumps. */
export interface AppliedShare {
  share: number
  at: number
}

/** A share counts fully while it is renewed, including a few failures. */
const fullMs = 30 * minute
/** Then its weight decreases. A long backup, without calls to the agent, hardly moves the figure. */
const goneMs = 6 * 60 * minute
/** A share that differs from the last one is applied within three minutes. */
const settleMs = 90_000
/** A slowly creeping figure would be sent with every listing. */
const closeEnough = 0.001
/** For this time a worse source does not replace a better one. */
const preferMs = 5 * minute

const order: readonly MemoryShare['source'][] = ['available', 'cache', 'rrd', 'agent']

export function preferShare(known: MemoryShare | undefined, next: MemoryShare): MemoryShare {
  const isWorse = known && order.indexOf(next.source) > order.indexOf(known.source)
  return isWorse && next.at - known.at <= preferMs ? known : next
}

/** 1 while the share is recent, 0 when it is worthless. */
export function weightOf({ at }: MemoryShare, now: number): number {
  return Math.min(1, Math.max(0, (goneMs - (now - at)) / (goneMs - fullMs)))
}

export function applyShare(
  applied: AppliedShare | undefined,
  known: MemoryShare | undefined,
  now: number,
): AppliedShare | undefined {
  if (!known) return undefined
  const target = 1 - weightOf(known, now) * (1 - known.share)
  if (!applied) return { share: target, at: now }
  const pace = 1 - Math.exp(-Math.max(0, now - applied.at) / settleMs)
  const share = applied.share + (target - applied.share) * pace
  return { share: Math.abs(target - share) < closeEnough ? target : share, at: now }
}

/** The hypervisor's figure, corrected by the known share. */
export function guestMemory(
  counted: MemoryReading | undefined,
  known: MemoryShare | undefined,
  applied: AppliedShare | undefined,
  now: number,
): MemoryReading | undefined {
  if (!known || !applied) return counted
  const weight = weightOf(known, now)
  if (!counted) return { used: known.used, source: known.source, trusted: weight === 1 }
  return {
    used: Math.round(counted.used * applied.share),
    source: weight > 0 ? known.source : counted.source,
    trusted: weight === 1,
  }
}

/** The hypervisor's used memory. 0 means unknown, because a running guest uses some. */
export function countedMemory(
  { mem, memhost, maxmem: total }: Pick<PveGuest, 'mem' | 'memhost' | 'maxmem'>,
  status?: PveGuestStatus,
): MemoryReading | undefined {
  if (!total) return undefined
  const reading = (used: number, source: 'mem' | 'freemem'): MemoryReading => ({
    used: Math.min(total, used),
    source,
    trusted: false,
  })
  // Without the balloon driver, mem is the host's use for the guest and may exceed the guest's total.
  if (mem && mem <= total) return reading(mem, 'mem')
  const byBalloon = status && balloonUsed(status)
  if (byBalloon !== undefined) return reading(byBalloon, 'freemem')
  const known = mem || status?.mem || memhost
  return known ? reading(known, 'mem') : undefined
}

/** `freemem` is relative to the ballooned size, and accepted only if it fits `mem`. */
function balloonUsed({ freemem, mem, ballooninfo, balloon }: PveGuestStatus): number | undefined {
  const total = ballooninfo?.total_mem ?? balloon
  if (!freemem || !total || freemem > total) return undefined
  if (mem && Math.abs(mem + freemem - total) > 128 * MiB) return undefined
  return total - freemem
}

/** From status/current, if that includes figures from inside the guest. */
export function shareByStatus(
  status: PveGuestStatus,
  total: number | undefined,
  counted: MemoryReading | undefined,
  at: number,
): MemoryShare | undefined {
  if (!total) return undefined
  const base = status.mem || counted?.used
  const { available, free = 0, buffers = 0, cached = 0 } = status.meminfo ?? {}
  if (available !== undefined && available <= total) return toShare('available', total - available, base, at)
  if (buffers > 0 || cached > 0) return toShare('cache', total - free - buffers - cached, base, at)
  return undefined
}

export const shareByRrd = (
  { available }: RrdMemory,
  total: number | undefined,
  counted: MemoryReading | undefined,
  at: number,
): MemoryShare | undefined => (total ? toShare('rrd', total - available, counted?.used, at) : undefined)

/** /proc/meminfo, in bytes. */
export interface Meminfo {
  available: number
  total: number
  free?: number | undefined
}

/**
 * From /proc/meminfo. With the balloon driver, the hypervisor's figure is the memory that is not free, which
 * the same answer contains. Without it the listing has another figure, and the latest one is used.
 */
export function shareByAgent(
  { available, total, free }: Meminfo,
  counted: MemoryReading | undefined,
  at: number,
): MemoryShare {
  // The kernel reserves some memory, so its total is slightly below the configured size.
  const notFree = free === undefined ? undefined : total - free
  const isSame =
    notFree !== undefined && (!counted || Math.abs(notFree - counted.used) <= total * likenessFraction)
  return toShare('agent', total - available, isSame ? notFree : counted?.used, at)
}

const likenessFraction = 0.1

function toShare(
  source: MemoryShare['source'],
  usedBytes: number,
  base: number | undefined,
  at: number,
): MemoryShare {
  const used = Math.max(0, usedBytes)
  return { source, share: base ? Math.min(1, used / base) : 1, used, at }
}

/** The balloon takes free memory and cache. The guest's own use stays. */
export function afterBalloon(known: MemoryShare, counted: MemoryReading): MemoryShare {
  return counted.used > 0 ? { ...known, share: Math.min(1, known.used / counted.used) } : known
}

/** Whether and why the figure includes page cache that an agent could separate. */
export function estimateOf(
  known: MemoryShare | undefined,
  awaitsAgent: boolean,
  now: number,
): MemoryEstimate | undefined {
  if (!known) return awaitsAgent ? 'agent-pending' : undefined
  return weightOf(known, now) < 1 ? 'agent-silent' : undefined
}
