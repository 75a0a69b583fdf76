import type { Protection } from '@pulse/contract'
import { protectionWords, type ProtectionWord } from '@pulse/domain'
import type { GuestNames, NamedGuest } from './guest-names.ts'

/** A guest and its protection. */
export interface ProtectedGuest {
  protection: Protection
  /** undefined once the guest is gone */
  guest: NamedGuest | undefined
  words: readonly ProtectionWord[]
  /** of its row */
  tabIndex?: 0 | -1
}

export const protectedGuest = (protection: Protection, names: GuestNames): ProtectedGuest => ({
  protection,
  guest: names.get(protection.vmid)?.find(({ source }) => source === protection.source),
  words: protectionWords(protection),
})
