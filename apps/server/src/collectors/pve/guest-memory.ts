import type { MemoryEstimate } from '@pulse/contract'
import type { MemoryReading, RrdMemory } from './memory.ts'
import type { PveGuest, PveGuestStatus } from './schema.ts'

const MiB = 1024 * 1024
const minute = 60_000

/**
 * What part of the memory that the hypervisor counts as used a guest uses by a better account: the rest is page
 * cache, which it releases on demand. The account comes every few minutes, the hypervisor's figure with every
 * listing, so each fresh figure is multiplied by the last share. Taken as a share and not as an amount the result
 * lies between nothing and the hypervisor's figure whatever happens, and what comes or goes between two accounts is
 * taken to be made up like the rest.
 */
export interface MemoryShare {
  source: 'available' | 'cache' | 'rrd' | 'agent'
  /** 0-1 */
  share: number
  /** bytes, when the account was given */
  used: number
  /** monotonic */
  at: number
}

/** The share that is in use now: it follows what is known without a step. */
export interface AppliedShare {
  share: number
  at: number
}

/** An account counts fully for as long as it is renewed, with some failures in between. */
const fullMs = 30 * minute
/** Then its weight decreases. A long backup, during which the agent is not called, hardly moves the figure. */
const goneMs = 6 * 60 * minute
/** An account that differs from the last one is taken over within three minutes. */
const settleMs = 90_000
/** A figure that only creeps would be sent with every listing. */
const closeEnough = 0.001
/** For so long a worse source does not replace a better one. */
const preferMs = 5 * minute

const order: readonly MemoryShare['source'][] = ['available', 'cache', 'rrd', 'agent']

export function preferShare(known: MemoryShare | undefined, next: MemoryShare): MemoryShare {
  const isWorse = known && order.indexOf(next.source) > order.indexOf(known.source)
  return isWorse && next.at - known.at <= preferMs ? known : next
}

/** 1 while the account is recent, 0 when it says nothing any more. */
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

/** The hypervisor's figure, corrected by what is known of its making. */
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

/** What the hypervisor counts as used. 0 means that it does not know: a guest that runs uses some. */
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
  // Without the balloon driver mem is what the host spends on the guest, which can be more than it has.
  if (mem && mem <= total) return reading(mem, 'mem')
  const byBalloon = status && balloonUsed(status)
  if (byBalloon !== undefined) return reading(byBalloon, 'freemem')
  const known = mem || status?.mem || memhost
  return known ? reading(known, 'mem') : undefined
}

/** `freemem` is relative to what the balloon leaves, and only believed if it fits `mem`. */
function balloonUsed({ freemem, mem, ballooninfo, balloon }: PveGuestStatus): number | undefined {
  const total = ballooninfo?.total_mem ?? balloon
  if (!freemem || !total || freemem > total) return undefined
  if (mem && Math.abs(mem + freemem - total) > 128 * MiB) return undefined
  return total - freemem
}

/** By status/current, where it tells about the inside. */
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
 * By /proc/meminfo. With the balloon driver the hypervisor counts what is not free, which the same answer tells to
 * the moment; without it the listing's figure is something else, and the nearest one has to do.
 */
export function shareByAgent(
  { available, total, free }: Meminfo,
  counted: MemoryReading | undefined,
  at: number,
): MemoryShare {
  // The kernel keeps some memory to itself, so its total is a little below what the host gave.
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

/** The balloon takes what is free and what is cache: what the guest uses stays. */
export function afterBalloon(known: MemoryShare, counted: MemoryReading): MemoryShare {
  return counted.used > 0 ? { ...known, share: Math.min(1, known.used / counted.used) } : known
}

/** Whether the figure counts page cache that an agent would tell apart, and why it does not. */
export function estimateOf(
  known: MemoryShare | undefined,
  awaitsAgent: boolean,
  now: number,
): MemoryEstimate | undefined {
  if (!known) return awaitsAgent ? 'agent-pending' : undefined
  return weightOf(known, now) < 1 ? 'agent-silent' : undefined
}
