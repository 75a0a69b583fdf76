import { deleteGuestMetadata, getGuestMetadata, getGuestsMetadata, putGuestMetadata } from '@pulse/contract'
import type { Area } from '../area.ts'
import { guestMetadataStore } from '../db/guest-metadata.ts'
import type { Database } from '../db/database.ts'
import { route } from '../http/route.ts'
import { guestLinksPart } from './export-part.ts'
import { guestMetadata, type GuestMetadataArea, type GuestMetadataEdges } from './metadata.ts'

export interface GuestAreaEdges extends Omit<GuestMetadataEdges, 'isPending'> {
  db: Database
  connections: { list(): readonly { status: string }[] }
  /** links declared in pulse.yaml cannot be changed */
  locks: { around(metadata: GuestMetadataArea): GuestMetadataArea }
}

/** Custom links of guests. */
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

const guestRoutes = (metadata: GuestMetadataArea) => [
  route(getGuestsMetadata, () => metadata.all()),
  route(getGuestMetadata, ({ params }) => metadata.get(params.guestId)),
  route(putGuestMetadata, ({ params, body, note }) => {
    note({ target: params.guestId, details: body.customUrl ?? '' })
    return metadata.put(params.guestId, body)
  }),
  route(deleteGuestMetadata, async ({ params, note }) => {
    note({ target: params.guestId })
    await metadata.remove(params.guestId)
    return undefined
  }),
]
