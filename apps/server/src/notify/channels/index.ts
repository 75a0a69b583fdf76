import type { ChannelKind } from '@pulse/contract'
import type { ChannelEdges, ChannelModule } from './module.ts'
// registry: imports
import { createAppriseModule } from './apprise/index.ts'
import { createEmailModule } from './email/index.ts'
import { createWebhookModule } from './webhook/index.ts'

/** Every kind of channel, in display order. `npm run format` adds a new folder to this list. */
export const createChannelModules = (edges: ChannelEdges): Readonly<Record<ChannelKind, ChannelModule>> => ({
  // registry: entries
  email: createEmailModule(edges),
  apprise: createAppriseModule(edges),
  webhook: createWebhookModule(edges),
})
