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

/** By name. One more is a file here; npm run format adds its lines, and its name to the contract. */
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
