import type { Protection } from '@pulse/contract'
import { protectionWords, type ProtectionWord } from '@pulse/domain'
import type { GuestNames, NamedGuest } from '../guest-names.ts'

/** A guest, and how well it is protected. */
export interface ProtectedGuest {
  protection: Protection
  /** undefined when it is not there any more */
  guest: NamedGuest | undefined
  words: readonly ProtectionWord[]
}

export const protectedGuest = (protection: Protection, names: GuestNames): ProtectedGuest => ({
  protection,
  guest: names.get(protection.vmid)?.find(({ source }) => source === protection.source),
  words: protectionWords(protection),
})
