import { isRunning } from '../estate/estate.ts'
import type { Guest, Node } from '../estate/estate.ts'
import { dayCurve, noise } from './curve.ts'
import type { GuestReading, NodeReading } from '../estate/reading.ts'

const gib = 1024 ** 3

/** The host's load: its guests plus a little of its own. */
export function readNode(
  node: Node,
  guests: readonly Guest[],
  readingOf: (guest: Guest) => GuestReading,
  atMs: number,
): NodeReading {
  const { hardware, pins, seed } = node
  let busyCores = 0
  let memBytes = 0
  for (const guest of guests) {
    if (!isRunning(guest)) continue
    const reading = readingOf(guest)
    busyCores += reading.cpu * guest.cores
    memBytes += guest.kind === 'qemu' ? reading.memHostBytes : reading.memBytes
  }
  const own = 0.004 + 0.01 * noise(seed, atMs)
  const cpu = pins.cpu ?? Math.min(0.985, own + busyCores / hardware.threads)
  const cache = 1.5 * gib + hardware.memBytes * 0.06
  return {
    atMs,
    revision: node.cluster.revision,
    cpu,
    ioWait: Math.round(1e6 * 0.01 * noise(seed ^ 1, atMs) * dayCurve(atMs, 0)) / 1e6,
    memBytes: pins.memUsed ?? Math.min(Math.floor(hardware.memBytes * 0.97), Math.floor(memBytes + cache)),
    diskBytes:
      pins.diskUsed ?? Math.floor(hardware.rootBytes * (hardware.rootFill + 0.002 * noise(seed ^ 2, atMs))),
    uptimeSeconds: Math.max(0, Math.floor((atMs - node.bootedAtMs) / 1000)),
    load: [
      cpu * hardware.threads * (0.9 + 0.2 * noise(seed ^ 3, atMs)),
      cpu * hardware.threads * (0.95 + 0.1 * noise(seed ^ 4, atMs)),
      cpu * hardware.threads,
    ],
  }
}
