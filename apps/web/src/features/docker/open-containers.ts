import { createExpansion } from '../../parts/list/expansion.ts'

/** Containers whose details are open. Their identity is that of the host and their name, so that one made anew stays open. */
export const openContainers = createExpansion()
