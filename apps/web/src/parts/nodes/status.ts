import type { Guest, Node, PbsServer } from '@pulse/contract'

/** Usable: online, up, and its source is answering. Everything else is shown dimmed, as offline. */
export function isNodeOnline(
  node: Pick<Node, 'status' | 'startedAt' | 'connectionHealth' | 'withheld'>,
): boolean {
  return (
    node.status === 'online' &&
    (node.startedAt !== undefined || node.withheld !== undefined) &&
    node.connectionHealth !== 'offline' &&
    node.connectionHealth !== 'error'
  )
}

/** Nothing comes from its source, and nobody said that it is off: its last figures stay, in grey. */
export function isNodeSilent(
  node: Pick<Node, 'status' | 'startedAt' | 'connectionHealth' | 'withheld' | 'staleSince'>,
): boolean {
  return node.status === 'online' && node.staleSince !== undefined && !isNodeOnline(node)
}

export function isPbsOnline(
  server: Pick<PbsServer, 'status' | 'startedAt' | 'connectionHealth' | 'withheld'>,
): boolean {
  return (
    server.status === 'online' &&
    (server.startedAt !== undefined || server.withheld !== undefined) &&
    server.connectionHealth !== 'offline' &&
    server.connectionHealth !== 'error'
  )
}

/** As with nodes: nobody answers for it, which is not the same as being off. */
export function isPbsSilent(
  server: Pick<PbsServer, 'status' | 'startedAt' | 'connectionHealth' | 'withheld' | 'staleSince'>,
): boolean {
  return server.status === 'online' && server.staleSince !== undefined && !isPbsOnline(server)
}

/** Started, and standing still: it does nothing, and holds on to its memory and disks. */
export function isGuestHalted({ status }: Pick<Guest, 'status'>): boolean {
  return status !== 'running' && status !== 'stopped' && status !== 'unknown' && status !== ''
}

/** Any status but running counts as stopped, and so does everything on an offline node. */
export function isGuestRunning(guest: Pick<Guest, 'status'>, nodeOffline: boolean): boolean {
  return guest.status === 'running' && !nodeOffline
}

/** Counts as stopped, though nobody knows whether it runs. */
export const isGuestUnreachable = (
  { staleSince }: Pick<Guest, 'staleSince'>,
  running: boolean,
  nodeOffline: boolean,
): boolean => !running && (nodeOffline || staleSince !== undefined)
