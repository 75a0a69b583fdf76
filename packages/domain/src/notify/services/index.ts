import type { WebhookService as Name, WebhookTemplate } from '@pulse/contract'
import { discord } from './discord.ts'
import { generic } from './generic.ts'
import { pagerduty } from './pagerduty.ts'
import { gotify, ntfy, pushover } from './push.ts'
import type { WebhookService } from './service.ts'
import { slack } from './slack.ts'
import { teams, teamsAdaptive } from './teams.ts'
import { telegram } from './telegram.ts'

export const services = {
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
