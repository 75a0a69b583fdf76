import { Permissions } from '../proxmox/schema.ts'
import { SourceError } from '../source-error.ts'
import { RIGHTS } from './health.ts'
import type { Part } from './part.ts'
import { hiddenLists, missingForLists } from './rights.ts'
import { readOne } from './schema.ts'

const minute = 60_000

/** What the account may not see, of what the enabled parts ask for. */
export const rights: Part = {
  name: RIGHTS,
  calls: { cluster: 0.2 },
  start: (desk) => ({
    loops: [
      {
        name: RIGHTS,
        everyMs: () => (desk.health.errorOf(RIGHTS) ? 5 * minute : 60 * minute),
        firstAfterMs: 15_000,
        async run(signal) {
          const { data, at } = await desk.gateway.cluster('/access/permissions', { signal })
          const granted = readOne(Permissions, data, '/access/permissions')
          desk.health.filtered(hiddenLists(granted, desk.rights()))
          const missing = missingForLists(granted, desk.rights())
          if (missing.length === 0) return at
          desk.health.failed(RIGHTS, new SourceError('forbidden', missing.join('; ')))
          desk.publish(0)
        },
        failed: () => 5 * minute, // the lists tell what they can without it
      },
    ],
  }),
}
