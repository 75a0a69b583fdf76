import type { Part } from './part.ts'
import { certificates } from './part-certificates.ts'
import { guestProbes } from './part-guest-probes.ts'
import { listing } from './part-listing.ts'
import { membership } from './part-membership.ts'
import { nodeGuests } from './part-node-guests.ts'
import { nodeMemory } from './part-node-memory.ts'
import { nodeStatus } from './part-node-status.ts'
import { rights } from './part-rights.ts'
import { storages } from './part-storages.ts'

/** Everything that is asked of a PVE cluster. One more is a file `part-….ts` and a line here. */
export const parts: readonly Part[] = [
  listing,
  membership,
  certificates,
  nodeStatus,
  nodeMemory,
  nodeGuests,
  guestProbes,
  storages,
  rights,
]
