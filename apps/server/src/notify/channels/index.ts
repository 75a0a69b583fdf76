import type { ChannelKind } from '@pulse/contract'
import type { ChannelEdges, ChannelModule } from './module.ts'
// registry: imports
import { createAppriseModule } from './apprise/index.ts'
import { createEmailModule } from './email/index.ts'
import { createWebhookModule } from './webhook/index.ts'

/** Every kind of channel, in the order in which channels are listed. npm run format lists a new folder. */
export const createChannelModules = (edges: ChannelEdges): Readonly<Record<ChannelKind, ChannelModule>> => ({
  // registry: entries
  email: createEmailModule(edges),
  apprise: createAppriseModule(edges),
  webhook: createWebhookModule(edges),
})
