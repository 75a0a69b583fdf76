import type { Guest } from '../estate/estate.ts'
import type { Readings } from '../load/readings.ts'

interface Kept {
  /** The part that only the control API changes, serialised up to the figures. */
  head: string
  revision: number
  atMs: number
  text: string
}

const kept = new WeakMap<Guest, Kept>()

/**
 * A guest's entry of /cluster/resources as JSON text. Written out by hand and cached per refresh, because clients request
 * ten thousand entries every few seconds.
 */
export function guestFragment(guest: Guest, readings: Readings): string {
  const reading = readings.guest(guest)
  const { node } = guest
  const { revision } = node.cluster
  const before = kept.get(guest)
  if (before?.atMs === reading.atMs && before.revision === revision) return before.text
  const head = before?.revision === revision ? before.head : headOf(guest)
  const memHost =
    node.cluster.release.major === 9 && guest.kind === 'qemu' ? `,"memhost":${reading.memHostBytes}` : ''
  const text = node.online
    ? `${head}"cpu":${reading.cpu},"mem":${reading.memBytes}${memHost},"disk":${guest.kind === 'qemu' ? 0 : reading.diskBytes},"netin":${reading.netIn},"netout":${reading.netOut},"diskread":${reading.diskRead},"diskwrite":${reading.diskWrite},"uptime":${reading.uptimeSeconds}}`
    : head
  kept.set(guest, { head, revision, atMs: reading.atMs, text })
  return text
}

function headOf(guest: Guest): string {
  const { vmid, kind, node } = guest
  const identity = { id: `${kind}/${vmid}`, type: kind, vmid, node: node.name }
  // PVE knows nothing more about guests of an offline member.
  if (!node.online) return JSON.stringify({ ...identity, status: 'unknown' })
  const entry = {
    ...identity,
    name: displayName(guest),
    status: guest.status === 'stopped' ? 'stopped' : 'running',
    template: Number(guest.template),
    maxcpu: guest.cpuLimit ?? guest.cores,
    maxmem: guest.maxMemBytes,
    maxdisk: guest.maxDiskBytes,
    pool: guest.pool,
    lock: guest.lock,
    tags: guest.tags,
    hastate: guest.highlyAvailable ? (guest.status === 'stopped' ? 'stopped' : 'started') : undefined,
  }
  return `${JSON.stringify(entry).slice(0, -1)},`
}

/** PVE generates a name for a guest without one. */
export const displayName = (guest: Guest): string =>
  guest.name ?? `${guest.kind === 'qemu' ? 'VM' : 'CT'} ${guest.vmid}`
