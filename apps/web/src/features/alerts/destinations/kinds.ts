import type { ChannelKind } from '@pulse/contract'
import type { ChannelKindUi } from './kind.ts'
// registry: imports
import { appriseKind } from './apprise/card.tsx'
import { emailKind } from './email/card.tsx'
import { webhookKind } from './webhook/card.tsx'

/** In page order. `npm run format` adds the card of a new folder. */
export const channelKindUis: Readonly<Record<ChannelKind, ChannelKindUi>> = {
  // registry: entries
  email: emailKind,
  apprise: appriseKind,
  webhook: webhookKind,
}
