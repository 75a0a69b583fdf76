import * as z from 'zod/mini'
import { bodyLimits, endpoint, readsMonitoring } from '../endpoint.ts'
import { GuestMetadata } from '../entities/guest.ts'

const guestParams = z.object({ guestId: z.string().check(z.minLength(1), z.maxLength(256)) })

export const GuestMetadataInput = z.strictObject({
  id: z.optional(z.string()),
  customUrl: z.optional(z.string().check(z.trim(), z.maxLength(2048))),
})
export type GuestMetadataInput = z.infer<typeof GuestMetadataInput>

export const getGuestsMetadata = endpoint({
  ...readsMonitoring,
  path: '/api/guests/metadata',
  rate: 'exempt',
  reply: z.record(z.string(), GuestMetadata),
})

export const getGuestMetadata = endpoint({
  ...readsMonitoring,
  path: '/api/guests/metadata/:guestId',
  rate: 'exempt',
  params: guestParams,
  reply: GuestMetadata,
})

export const putGuestMetadata = endpoint({
  method: 'PUT',
  path: '/api/guests/metadata/:guestId',
  access: 'admin',
  scope: 'monitoring:write',
  rate: 'general',
  audit: 'guest_link_changed',
  params: guestParams,
  body: GuestMetadataInput,
  bodyLimit: bodyLimits.settings,
  reply: GuestMetadata,
})

export const deleteGuestMetadata = endpoint({
  method: 'DELETE',
  path: '/api/guests/metadata/:guestId',
  access: 'admin',
  scope: 'monitoring:write',
  rate: 'general',
  audit: 'guest_link_changed',
  params: guestParams,
  status: 204,
})
