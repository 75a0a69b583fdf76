const folders = { guests: 'guest', nodes: 'node' } as const

/** The page of a guest or node, by its store id. */
export function thingPath(kind: 'guests' | 'nodes', id: string): string {
  return `/proxmox/${folders[kind]}/${encodeURIComponent(id)}`
}
