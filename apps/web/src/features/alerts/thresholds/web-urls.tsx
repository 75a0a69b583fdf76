import type { OverrideKind, RecordKind } from '@pulse/contract'
import { createContext, type ReactNode, use, useCallback } from 'react'
import type { LiveReader } from '../../../live/store.ts'
import { useLive } from '../../../live/use-live.ts'
import { type GuestLinks, guestLink, useGuestLinks } from '../../../parts/nodes/guest-links.ts'
import { pveUrl, webUrl } from '../../../lib/links.ts'
import { indexNodes, type NodeRef, nodeKey } from '../../../parts/nodes/nodes.ts'

const LinksContext = createContext<GuestLinks>({})

/** Wraps the tables, so that the custom guest links load once. */
export function GuestLinksProvider({ children }: { children: ReactNode }) {
  return <LinksContext value={useGuestLinks()}>{children}</LinksContext>
}

/** URL of a resource's web interface; undefined if unknown. */
export function useWebUrl(kind: OverrideKind, id: string): string | undefined {
  const links = use(LinksContext)
  return useLive(
    aroundOf[kind] ?? [],
    useCallback((live) => urlOf(live, kind, id, links), [kind, id, links]),
  )
}

/** Kinds with a URL derived from records. */
const aroundOf: Readonly<Partial<Record<OverrideKind, readonly RecordKind[]>>> = {
  nodes: ['nodes'],
  guests: ['guests', 'nodes'],
  storage: ['storage', 'nodes'],
  pbs: ['pbs'],
  datastores: ['datastores', 'pbs'],
  pmg: ['pmg'],
}

function urlOf(live: LiveReader, kind: OverrideKind, id: string, links: GuestLinks): string | undefined {
  switch (kind) {
    case 'nodes': {
      const node = live.get('nodes', id)
      return node && webUrl(node.host, node.name, 'pve')
    }
    case 'guests': {
      const guest = live.get('guests', id)
      if (!guest) return undefined
      return guestLink(links, guest, id) ?? pveUrl(nodeUrl(live, guest), `${guest.type}/${guest.vmid}`)
    }
    case 'storage': {
      const storage = live.get('storage', id)
      return storage && pveUrl(nodeUrl(live, storage), `storage/${storage.node}/${storage.name}`)
    }
    case 'pbs': {
      const server = live.get('pbs', id)
      return server && webUrl(server.host, server.name, 'pbs')
    }
    case 'datastores': {
      const datastore = live.get('datastores', id)
      const server = datastore && live.get('pbs', datastore.source)
      const web = server && webUrl(server.host, server.name, 'pbs')
      return web && `${web}#DataStore-${encodeURIComponent(datastore.name)}`
    }
    case 'pmg': {
      const gateway = live.get('pmg', id)
      return gateway && webUrl(gateway.host, gateway.name, 'pmg')
    }
    default:
      return undefined
  }
}

/** URL of the node of a guest or storage. A node without a record is addressed by its name. */
function nodeUrl(live: LiveReader, node: NodeRef): string | undefined {
  const known = indexNodes(live).get(nodeKey(node))
  return webUrl(known && live.get('nodes', known.id)?.host, node.node, 'pve')
}
