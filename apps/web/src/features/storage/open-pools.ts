import { createExpansion } from '../../parts/list/expansion.ts'

/** Storages whose Ceph is shown. */
export const openPools = createExpansion()
