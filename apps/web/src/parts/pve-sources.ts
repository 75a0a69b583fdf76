import type { LiveReader } from '../live/store.ts'

export interface PveSource {
  id: string
  name: string
  error: string | undefined
}

/** Proxmox VE connections that exist; asked when there is no node to show. */
export function selectPveSources(live: LiveReader): readonly PveSource[] {
  return [...live.records('sources')]
    .filter(([, source]) => source.kind === 'pve')
    .map(([id, { name, error }]) => ({ id, name, error }))
}
