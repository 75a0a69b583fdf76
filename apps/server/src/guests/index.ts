import type { Area } from '../area.ts'
import { guestMetadataStore } from '../db/guest-metadata.ts'
import type { Database } from '../db/database.ts'
import { guestLinksPart } from './export-part.ts'
import { guestMetadata, type GuestMetadataArea, type GuestMetadataEdges } from './metadata.ts'
import { guestRoutes } from './routes.ts'

export interface GuestAreaEdges extends Omit<GuestMetadataEdges, 'isPending'> {
  db: Database
  connections: { list(): readonly { status: string }[] }
  /** what is declared elsewhere cannot be changed here */
  locks: { around(metadata: GuestMetadataArea): GuestMetadataArea }
}

/** What people keep about guests: their links. */
export function guestArea({ db, connections, locks, ...edges }: GuestAreaEdges): GuestMetadataArea & Area {
  const isPending = () => connections.list().some(({ status }) => ['pending', 'error'].includes(status))
  const metadata = locks.around(guestMetadata(guestMetadataStore(db), { ...edges, isPending }))
  return {
    ...metadata,
    name: 'the guest links',
    routes: guestRoutes(metadata),
    exportParts: [guestLinksPart(db, edges.clock.now)],
    caches: [{ ...metadata, tables: ['guest_metadata'] }],
  }
}
