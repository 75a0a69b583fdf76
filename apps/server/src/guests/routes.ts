import { deleteGuestMetadata, getGuestMetadata, getGuestsMetadata, putGuestMetadata } from '@pulse/contract'
import type { GuestMetadataArea } from './metadata.ts'
import { route } from '../http/route.ts'

export const guestRoutes = (metadata: GuestMetadataArea) => [
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
