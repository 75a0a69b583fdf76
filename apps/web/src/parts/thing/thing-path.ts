/** The address of the page of a guest or node, by its store id. */
export function thingPath(kind: 'guests' | 'nodes', id: string): string {
  return `/proxmox/${kind === 'guests' ? 'guest' : 'node'}/${encodeURIComponent(id)}`
}
