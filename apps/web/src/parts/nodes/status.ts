import type { Guest, Node, PbsServer } from '@pulse/contract'

/** The states of a node or a backup server, with their effects on pages. */
export const machineStates = {
  /** answers, with current figures */
  online: { isOnline: true, hasFigures: true, isStale: false, outage: undefined },
  /** its source answers, but its figures are older than their limit */
  stale: { isOnline: true, hasFigures: true, isStale: true, outage: undefined },
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

/** Counts as stopped, although it may be running. */
export const isGuestUnreachable = (
  { staleSince }: Pick<Guest, 'staleSince'>,
  running: boolean,
  nodeOffline: boolean,
): boolean => !running && (nodeOffline || staleSince !== undefined)
