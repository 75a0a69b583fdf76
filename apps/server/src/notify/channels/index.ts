import type { ChannelKind } from '@pulse/contract'
import { createAppriseModule } from './apprise/index.ts'
import { createEmailModule } from './email/index.ts'
import type { ChannelEdges, ChannelModule } from './module.ts'
import { createWebhookModule } from './webhook/index.ts'

/** Every kind of channel, in the order in which channels are listed. */
export const createChannelModules = (edges: ChannelEdges): Readonly<Record<ChannelKind, ChannelModule>> => ({
  email: createEmailModule(edges),
  apprise: createAppriseModule(edges),
  webhook: createWebhookModule(edges),
})
