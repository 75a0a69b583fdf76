import { isRunning } from '../estate/estate.ts'
import type { Guest, GuestKind, Node } from '../estate/estate.ts'
import { dayCurve, noise } from '../load/curve.ts'
import { cpuFraction, diskFraction, memFraction, rateAt } from '../load/guest-reading.ts'
import type { NodeReading } from '../estate/reading.ts'
import type { PveMajor } from '../options.ts'
import { guestOf, pressureOf } from './guests.ts'
import { memberOf } from './member.ts'
import { needsAuditOnGuest, needsAuditOnNode } from './route.ts'
import type { Call, Route } from './route.ts'

const minute = 60
const hour = 3600
const day = 86_400

/** Step in seconds and number of points. */
const shapes: Record<'old' | 'new', Readonly<Record<string, readonly [number, number]>>> = {
  old: {
    hour: [minute, 70],
    day: [30 * minute, 70],
    week: [3 * hour, 70],
    month: [12 * hour, 70],
    year: [7 * day, 70],
  },
  new: {
    hour: [minute, 60],
    day: [minute, 1440],
    week: [30 * minute, 336],
    month: [30 * minute, 1440],
    year: [6 * hour, 1460],
    decade: [7 * day, 570],
  },
}

const shapesOf = (major: PveMajor) => shapes[major === 9 ? 'new' : 'old']

const query: NonNullable<Route['query']> = (major) => ({
  timeframe: { required: Object.keys(shapesOf(major)) },
  cf: ['AVERAGE', 'MAX'],
})

export const historyRoutes: readonly Route[] = [
  { path: '/nodes/{node}/rrddata', query, missing: needsAuditOnNode, anyMember: true, answer: nodeHistory },
  ...(['qemu', 'lxc'] as const).map((kind): Route => ({
    path: `/nodes/{node}/${kind}/{vmid}/rrddata`,
    query,
    missing: needsAuditOnGuest,
    anyMember: true,
    answer: (call) => guestHistory(call, kind),
  })),
]

/** The newest point is not complete yet and has only a time. */
function points(call: Call, measure: (atMs: number) => object | undefined): object[] {
  const [step, count] = shapesOf(call.cluster.release.major)[call.params.timeframe!]!
  const newest = Math.floor(call.world.settings.now() / 1000 / step) * step
  return Array.from({ length: count }, (_, index) => {
    const time = newest - (count - 1 - index) * step
    return { time, ...(index < count - 1 && measure(time * 1000)) }
  })
}

function guestHistory(call: Call, kind: GuestKind) {
  const guest = guestOf(call, kind)
  return points(call, (atMs) => guestPoint(guest, atMs))
}

function guestPoint(guest: Guest, atMs: number) {
  const limits = { maxcpu: guest.cores, maxmem: guest.maxMemBytes, maxdisk: guest.maxDiskBytes, disk: 0 }
  if (!isRunning(guest) || atMs < guest.startedAtMs) return limits
  const { major } = guest.node.cluster.release
  const cpu = cpuFraction(guest, atMs)
  const mem = guest.maxMemBytes * guest.balloonShare * memFraction(guest, atMs)
  return {
    ...limits,
    cpu,
    mem,
    disk: guest.kind === 'lxc' ? guest.maxDiskBytes * diskFraction(guest, atMs) : 0,
    netin: rateAt(guest, 'netIn', atMs),
    netout: rateAt(guest, 'netOut', atMs),
    diskread: rateAt(guest, 'diskRead', atMs),
    diskwrite: rateAt(guest, 'diskWrite', atMs),
    ...(major === 9 && { memhost: Math.max(mem, guest.maxMemBytes * 0.8), ...pressureOf(guest, cpu) }),
  }
}

function nodeHistory(call: Call) {
  const node = memberOf(call)
  // The other members have the history of an offline member up to its failure.
  const reading = call.world.readings.node(node)
  return points(call, (atMs) =>
    node.online && atMs >= node.bootedAtMs ? nodePoint(node, reading, atMs) : undefined,
  )
}

/** Today's load shifted along the day curve: close to the sum of the guests' loads. */
function nodePoint(node: Node, reading: NodeReading, atMs: number) {
  const { hardware, seed } = node
  const factor = (dayCurve(atMs, 0) / dayCurve(reading.atMs, 0)) * (0.9 + 0.2 * noise(seed ^ 9, atMs))
  const cpu = Math.min(0.99, reading.cpu * factor)
  const memused = Math.min(hardware.memBytes, reading.memBytes * (0.97 + 0.03 * noise(seed ^ 10, atMs)))
  return {
    cpu,
    maxcpu: hardware.threads,
    iowait: reading.ioWait * factor,
    loadavg: cpu * hardware.threads,
    memtotal: hardware.memBytes,
    memused,
    swaptotal: hardware.swapBytes,
    swapused: hardware.swapBytes * 0.02,
    roottotal: hardware.rootBytes,
    rootused: reading.diskBytes,
    netin: 4_000_000 * factor,
    netout: 6_000_000 * factor,
    ...(node.cluster.release.major === 9 && {
      memavailable: hardware.memBytes - memused,
      arcsize: node.pools.length > 0 ? hardware.memBytes * 0.1 : 0,
      pressurecpusome: Math.max(0, cpu - 0.6) * 10,
      pressureiosome: 0.2,
      pressureiofull: 0.1,
      pressurememorysome: 0,
      pressurememoryfull: 0,
    }),
  }
}
