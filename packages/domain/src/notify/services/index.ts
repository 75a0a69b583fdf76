import type { WebhookService as Name, WebhookTemplate } from '@pulse/contract'
import type { WebhookService } from './service.ts'
// registry: imports
import { discord } from './discord.ts'
import { generic } from './generic.ts'
import { pagerduty } from './pagerduty.ts'
import { pushover, gotify, ntfy } from './push.ts'
import { slack } from './slack.ts'
import { teams, teamsAdaptive } from './teams.ts'
import { telegram } from './telegram.ts'

/** By name. Each service is a file here; npm run format adds it to these lists and to the contract. */
export const services = {
  // registry: entries
  generic,
  discord,
  slack,
  telegram,
  teams,
  'teams-adaptive': teamsAdaptive,
  pagerduty,
  pushover,
  gotify,
  ntfy,
} satisfies Record<Name, WebhookService> as Record<Name, WebhookService>

export const webhookTemplates: readonly WebhookTemplate[] = Object.values(services).map(
  ({ template }) => template,
)
