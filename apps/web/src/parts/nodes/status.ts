import type { Guest, Node, PbsServer } from '@pulse/contract'

/** The states of a node or a backup server, with their effects on pages. */
export const machineStates = {
  /** answers, with current figures */
  online: { isOnline: true, hasFigures: true, isStale: false, outage: undefined },
  /** its source answers, but its figures are older than their limit */
  stale: { isOnline: true, hasFigures: true, isStale: true, outage: undefined },
  /** nothing confirms it, for example its site is unreachable: whether its source answers is unknown */
  unheard: { isOnline: true, hasFigures: true, isStale: true, outage: undefined },
  /** its source does not answer; the last figures stay, in grey */
  unreachable: { isOnline: false, hasFigures: true, isStale: true, outage: 'unreachable' },
  /** listed as online, but without uptime, connection or earlier figures */
  unknown: { isOnline: false, hasFigures: false, isStale: false, outage: 'offline' },
  /** its cluster reports that it is off */
  offline: { isOnline: false, hasFigures: false, isStale: false, outage: 'offline' },
} as const

export type MachineState = keyof typeof machineStates

/** A node or a backup server. */
type Machine = Pick<Node | PbsServer, 'status' | 'startedAt' | 'connectionHealth' | 'withheld' | 'staleSince'>

export function machineState(machine: Machine): MachineState {
  const { status, startedAt, withheld, connectionHealth, staleSince } = machine
  if (status !== 'online') return 'offline'
  if (isUnheard(machine)) return 'unheard'
  const isUp = startedAt !== undefined || withheld !== undefined
  const isConnected = connectionHealth !== 'offline' && connectionHealth !== 'error'
  if (isUp && isConnected) return staleSince === undefined ? 'online' : 'stale'
  return staleSince === undefined ? 'unknown' : 'unreachable'
}

export const isOnline = (machine: Machine): boolean => machineStates[machineState(machine)].isOnline

/** Started but not running, for example paused. It keeps its memory and disks. */
export function isGuestHalted({ status }: Pick<Guest, 'status'>): boolean {
  return status !== 'running' && status !== 'stopped' && status !== 'unknown' && status !== ''
}

/** Any status except running counts as stopped. So does every guest of an offline node. */
export function isGuestRunning(guest: Pick<Guest, 'status'>, nodeOffline: boolean): boolean {
  return guest.status === 'running' && !nodeOffline
}

/** Its source is neither known to answer nor known to be unreachable. */
const isUnheard = ({ connectionHealth, staleSince }: Pick<Guest, 'connectionHealth' | 'staleSince'>) =>
  connectionHealth === 'unknown' && staleSince !== undefined

/**
 * How a guest counts. Unreachable: as stopped, although it may be running. Unheard: it did not run when it was last seen, so
 * it is neither running nor stopped.
 */
export type GuestMark = 'running' | 'stopped' | 'unreachable' | 'unheard'

export function guestMark(guest: Guest, node: MachineState): GuestMark {
  const { isOnline: isNodeOnline } = machineStates[node]
  if (isGuestRunning(guest, !isNodeOnline)) return 'running'
  if (node !== 'offline' && isUnheard(guest)) return 'unheard'
  return !isNodeOnline || guest.staleSince !== undefined ? 'unreachable' : 'stopped'
}
