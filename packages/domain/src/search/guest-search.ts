import type { Guest } from '@pulse/contract'
import { guestFields, type GuestMoment } from './guest-fields.ts'
import { compileSearch } from './search.ts'

export type GuestPredicate = (guest: Guest, at: GuestMoment) => boolean

/** The search box of the Overview. */
export const compileGuestSearch = (text: string): GuestPredicate => compileSearch(text, guestFields)
