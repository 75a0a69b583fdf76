import { isRunning } from '../estate/estate.ts'
import type { Guest } from '../estate/estate.ts'
import { fraction } from '../random.ts'
import type { Readings } from '../load/readings.ts'
import { displayName } from './guest-fragment.ts'
import { guestOf, guestsOn, pressureOf, processId } from './guests.ts'
import { isTrue } from '../api/parameters.ts'
import { liveDetails } from './qemu-live.ts'
import { needsAuditOnGuest } from './route.ts'
import type { Call, Route } from './route.ts'

export const qemuRoutes: readonly Route[] = [
  { path: '/nodes/{node}/qemu', query: { full: 'boolean' }, answer: list },
  { path: '/nodes/{node}/qemu/{vmid}/status/current', missing: needsAuditOnGuest, answer: current },
]

function list(call: Call) {
  const { readings } = call.world
  const full = isTrue(call.params.full)
  return guestsOn(call, 'qemu').map((guest) => {
    const entry = listEntry(guest, readings)
    return full ? { ...entry, ...liveDetails(guest, readings) } : entry
  })
}

/** Read from the host without asking QEMU: memory is the host's view, and most CPU shares are 0. */
function listEntry(guest: Guest, readings: Readings) {
  const reading = readings.guest(guest)
  const { major } = guest.node.cluster.release
  const running = isRunning(guest)
  // PVE needs two readings in the same worker process for a share, and runs three workers.
  const seenBefore = fraction(guest.seed, Math.floor(reading.atMs / 1000)) < 0.1
  return {
    vmid: guest.vmid,
    name: displayName(guest),
    status: running ? 'running' : 'stopped',
    cpus: guest.cores,
    cpu: seenBefore ? reading.cpu : 0,
    mem: reading.memHostBytes,
    maxmem: guest.maxMemBytes,
    disk: 0,
    maxdisk: guest.maxDiskBytes,
    netin: reading.netIn,
    netout: reading.netOut,
    uptime: reading.uptimeSeconds,
    balloon_min: balloonMinimum(guest),
    shares: 1000,
    ...(running && { pid: processId(guest) }),
    ...(major === 9 ? { memhost: reading.memHostBytes } : { diskread: 0, diskwrite: 0 }),
    ...(major === 9 && running && pressureOf(guest, reading.cpu)),
    ...marks(guest),
  }
}

/** Fields that exist only with a value. */
export function marks(guest: Guest) {
  return {
    ...(guest.template && { template: 1 }),
    ...(guest.lock !== undefined && { lock: guest.lock }),
    ...(guest.tags !== undefined && { tags: guest.tags }),
  }
}

function current(call: Call) {
  const guest = guestOf(call, 'qemu')
  const { readings } = call.world
  const reading = readings.guest(guest)
  return {
    ...listEntry(guest, readings),
    cpu: reading.cpu,
    mem: reading.memBytes,
    diskread: reading.diskRead,
    diskwrite: reading.diskWrite,
    ha: haOf(guest),
    ...(hasAgent(guest) && { agent: 1 }),
    ...liveDetails(guest, readings),
  }
}

export const hasAgent = (guest: Guest): boolean => guest.agent !== 'none' && guest.agent !== 'disabled'

export function haOf(guest: Guest) {
  if (!guest.highlyAvailable) return { managed: 0 }
  const state = isRunning(guest) ? 'started' : 'stopped'
  return { managed: 1, state, ...(guest.node.cluster.release.major === 8 && { group: 'all' }) }
}

const balloonMinimum = (guest: Guest): number => Math.floor(guest.maxMemBytes / 2)
