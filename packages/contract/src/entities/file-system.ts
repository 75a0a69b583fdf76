import * as z from 'zod/mini'
import { fromSource } from './common.ts'
import { Guest, GuestDisk } from './guest.ts'

/** A file system of a guest. The metric history makes them from the guests; the state and the wire have none. */
export const FileSystem = z.object({
  /** key of the guest */
  guestId: z.string(),
  /** as it was seen last */
  guest: Guest,
  disk: GuestDisk,
  ...fromSource,
})
export type FileSystem = z.infer<typeof FileSystem>
