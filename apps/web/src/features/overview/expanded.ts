import { createExpansion } from '../../parts/list/expansion.ts'

/** Guests whose details are open. */
export const expandedGuests = createExpansion()
