import type { HostPart } from '../proxmox/host-part.ts'
import type { PmgCache } from './cache.ts'
// registry: imports
import { backups } from './part-backups.ts'
import { domains } from './part-domains.ts'
import { gateway } from './part-gateway.ts'
import { mail } from './part-mail.ts'
import { quarantine } from './part-quarantine.ts'
import { queues } from './part-queues.ts'

/** All queries of a mail gateway. Add a file `part-….ts`, and npm run format adds its lines here. */
export const parts: readonly HostPart<PmgCache>[] = [
  // registry: entries
  gateway,
  mail,
  quarantine,
  queues,
  domains,
  backups,
]
