import { isRunning } from '../estate/estate.ts'
import type { Guest, GuestKind } from '../estate/estate.ts'
import { fraction } from '../random.ts'
import { digestOf, guestOf } from './guests.ts'
import { needsAuditOnGuest } from './route.ts'
import type { Call, Route } from './route.ts'

const names = ['before-upgrade', 'weekly', 'pre-migration', 'known-good', 'clean-install']
const dayMs = 86_400_000

export const snapshotRoutes: readonly Route[] = (['qemu', 'lxc'] as const).map((kind) => ({
  path: `/nodes/{node}/${kind}/{vmid}/snapshot`,
  missing: needsAuditOnGuest,
  answer: (call) => snapshots(call, kind),
}))

function snapshots(call: Call, kind: GuestKind) {
  const guest = guestOf(call, kind)
  const made = snapshotTimes(guest, call.world.settings.now()).map((seconds, index) => ({
    name: nameOf(index),
    snaptime: seconds,
    description: index % 2 === 0 ? '' : `made before change ${guest.vmid}-${index}\n`,
    ...(index > 0 && { parent: nameOf(index - 1) }),
    ...(kind === 'qemu' && { vmstate: Number(index === 1) }),
  }))
  const current = {
    name: 'current',
    description: 'You are here!',
    digest: digestOf(guest),
    running: Number(isRunning(guest)),
    ...(made.length > 0 && { parent: nameOf(made.length - 1) }),
  }
  return [...made, current]
}

const nameOf = (index: number): string =>
  index < names.length ? names[index]! : `${names[index % names.length]}-${Math.floor(index / names.length)}`

/** Oldest first. Days count back from today, so that a snapshot stays at the same time all day. */
function snapshotTimes(guest: Guest, nowMs: number): number[] {
  const today = Math.floor(nowMs / dayMs) * dayMs
  const count = guest.snapshots
  return Array.from({ length: count }, (_, index) => {
    const daysAgo = (count - index) * 20 + Math.floor(fraction(guest.seed, index + 100) * 19)
    return Math.floor((today - daysAgo * dayMs) / 1000) + (guest.seed % 36_000)
  })
}
