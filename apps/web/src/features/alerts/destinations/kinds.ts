import type { ChannelKind } from '@pulse/contract'
import { appriseKind } from './apprise/card.tsx'
import { emailKind } from './email/card.tsx'
import type { ChannelKindUi } from './kind.ts'
import { webhookKind } from './webhook/card.tsx'

/** In the order of the page. */
export const channelKindUis: Readonly<Record<ChannelKind, ChannelKindUi>> = {
  email: emailKind,
  apprise: appriseKind,
  webhook: webhookKind,
}
