import type { Guest } from '@pulse/contract'
import { useCallback } from 'react'
import { useEntity, useLive } from '../../live/use-live.ts'
import { indexNodes, nodeState, placeKey } from '../../parts/nodes.ts'
import { isGuestRunning } from '../../parts/status.ts'
import { diskPercent } from './columns.ts'

/** A guest as its row shows it: what is not running has no figures. */
export interface GuestView {
  guest: Guest
  running: boolean
  stale: boolean
  /** dimmed: not running, or nobody knows */
  faint: boolean
  startedAt: number | undefined
  cpuPercent: number | undefined
  memoryPercent: number | undefined
  diskPercent: number | undefined
  rates: Record<'diskRead' | 'diskWrite' | 'networkIn' | 'networkOut', number | undefined>
  state: { label: string; tone: 'green' | 'neutral' | 'orange' | 'red'; ring: boolean }
}

export function viewGuest(guest: Guest, nodeOffline: boolean, nodeDown = false): GuestView {
  const running = isGuestRunning(guest, nodeOffline)
  // With its node off the head of the group says so once, for all of its guests.
  const stale = guest.staleSince !== undefined && !nodeDown
  const figures: Partial<Guest> = running ? guest : {}
  return {
    guest,
    running,
    stale,
    faint: !running || stale,
    startedAt: figures.startedAt,
    cpuPercent: figures.cpu === undefined ? undefined : figures.cpu * 100,
    memoryPercent: figures.memory && figures.memory.total > 0 ? figures.memory.usage : undefined,
    diskPercent: running ? diskPercent(guest) : undefined,
    rates: {
      diskRead: figures.diskRead,
      diskWrite: figures.diskWrite,
      networkIn: figures.networkIn,
      networkOut: figures.networkOut,
    },
    state: nodeDown ? NODE_OFFLINE : stateOf(guest, nodeOffline),
  }
}

/** Most guests are in one of these: the same object every time. */
const RUNNING = { label: 'Running', tone: 'green', ring: false } as const
const STOPPED = { label: 'Stopped', tone: 'neutral', ring: true } as const
const NODE_OFFLINE = { label: 'Node offline', tone: 'red', ring: true } as const

function stateOf({ status, staleSince }: Guest, nodeOffline: boolean): GuestView['state'] {
  if (staleSince !== undefined) {
    return { label: `Not answering, last known ${status}`, tone: 'orange', ring: true }
  }
  if (nodeOffline) return NODE_OFFLINE
  if (status === 'running') return RUNNING
  if (status === 'stopped' || !status) return STOPPED
  return { label: status[0]!.toUpperCase() + status.slice(1), tone: 'neutral', ring: true }
}

/** Changes when that guest changes, or its node goes or comes back. */
export function useGuestView(id: string): GuestView | undefined {
  const guest = useEntity('guests', id)
  const place = guest && placeKey(guest)
  const node = useLive(
    ['nodes'],
    useCallback((live) => (place === undefined ? 'online' : nodeState(indexNodes(live), place)), [place]),
  )
  return guest && viewGuest(guest, node !== 'online', node === 'down')
}
