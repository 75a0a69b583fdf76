import { type Guest, forGuestRates, type GuestRate, type MemoryEstimate } from '@pulse/contract'
import { useCallback } from 'react'
import { useEntity, useLive } from '../../live/use-live.ts'
import { indexNodes, nodeState, nodeKey } from '../nodes/nodes.ts'
import { useSilenceLabel } from '../sources/sites.tsx'
import { isGuestHalted, isGuestRunning, type MachineState, machineStates } from '../nodes/status.ts'

export const typeLabel = (guest: Pick<Guest, 'type'>): 'VM' | 'LXC' => (guest.type === 'qemu' ? 'VM' : 'LXC')

/** Percent 0-100; undefined if unknown or without a size. */
export function diskPercent({ disk }: Pick<Guest, 'disk'>): number | undefined {
  if (!disk || disk.usage === undefined || disk.total <= 0) return undefined
  return Math.min(100, Math.max(0, disk.usage))
}

/** A guest as its row shows it. A stopped one has no figures; a paused one has only memory and disks. */
export interface GuestView {
  guest: Guest
  running: boolean
  /** its memory and disks are in use: running or paused */
  holds: boolean
  /** the figures are old */
  stale: boolean
  /** since when, unless its node's row shows it */
  staleSince: number | undefined
  /** not running, or unknown */
  dimmed: boolean
  startedAt: number | undefined
  cpuPercent: number | undefined
  memoryPercent: number | undefined
  memoryEstimate: MemoryEstimate | undefined
  diskPercent: number | undefined
  rates: Record<GuestRate, number | undefined>
  state: { label: string; tone: 'green' | 'neutral' | 'orange' | 'red'; ring: boolean }
}

/** `silence`: the words for a guest with old figures. */
export function viewGuest(guest: Guest, node: MachineState, silence = 'Not answering'): GuestView {
  const { isOnline, isStale: isNodeStale } = machineStates[node]
  const isNodeUnreachable = node === 'unreachable'
  const running = isGuestRunning(guest, !isOnline)
  const stale = guest.staleSince !== undefined && node !== 'offline'
  const shown = running || (isNodeUnreachable && guest.status === 'running')
  const holds = shown || (isGuestHalted(guest) && (isOnline || isNodeUnreachable))
  const figures: Partial<Guest> = shown ? guest : {}
  const { memory } = holds ? guest : {}
  return {
    guest,
    running,
    holds,
    stale,
    staleSince: stale && !isNodeStale ? guest.staleSince : undefined,
    dimmed: !running || stale,
    startedAt: figures.startedAt,
    cpuPercent: figures.cpu === undefined ? undefined : figures.cpu * 100,
    memoryPercent: memory && memory.total > 0 ? memory.usage : undefined,
    memoryEstimate: memory?.estimate,
    diskPercent: holds ? diskPercent(guest) : undefined,
    rates: forGuestRates((rate) => figures[rate]),
    state: node === 'offline' ? NODE_OFFLINE : stateOf(guest, !isOnline, silence),
  }
}

/** Shared objects: most guests have one of these states. */
const RUNNING = { label: 'Running', tone: 'green', ring: false } as const
const STOPPED = { label: 'Stopped', tone: 'neutral', ring: true } as const
const NODE_OFFLINE = { label: 'Node offline', tone: 'red', ring: true } as const

function stateOf({ status, staleSince }: Guest, nodeOffline: boolean, silence: string): GuestView['state'] {
  if (staleSince !== undefined) {
    return { label: `${silence}, last known ${status}`, tone: 'orange', ring: true }
  }
  if (nodeOffline) return NODE_OFFLINE
  if (status === 'running') return RUNNING
  if (status === 'stopped' || !status) return STOPPED
  return { label: haltedLabel(status), tone: 'neutral', ring: true }
}

const haltedLabel = (status: string) =>
  status === 'io-error' ? 'I/O error' : status[0]!.toUpperCase() + status.slice(1).replaceAll('-', ' ')

/** Updates when the guest changes, or its node or its site goes or returns. */
export function useGuestView(id: string): GuestView | undefined {
  const guest = useEntity('guests', id)
  const key = guest && nodeKey(guest)
  const node = useLive(
    ['nodes'],
    useCallback((live) => (key === undefined ? 'online' : nodeState(indexNodes(live), key)), [key]),
  )
  const silence = useSilenceLabel(guest?.source ?? '')
  if (!guest) return undefined
  return viewGuest(guest, node, silence)
}

/** Why a guest's memory is an estimate. */
export const estimateReason: Record<MemoryEstimate, string> = {
  'agent-pending': 'An estimate: it counts page cache until the guest agent has answered.',
  'agent-silent': 'An estimate: the guest agent has not answered for a while, so it may count page cache.',
}
