import { emailProviders, webhookTemplates } from '@pulse/domain'
import { createOutbound } from '../../outbound/guard.ts'
import type { Channels } from '../channel.ts'
import { appriseWay } from './apprise/send.ts'
import { findApprise } from './apprise/program.ts'
import type { ChannelEdges } from './edges.ts'
import { emailWay } from './email/send.ts'
import { webhookWay } from './webhook/send.ts'

/** Every way out, behind the one guard. */
export function createChannels({
  clock,
  allowedHosts,
  env = process.env,
  resolve,
  ca,
}: ChannelEdges): Channels {
  const outbound = createOutbound({ clock, allowedHosts, ...(resolve && { resolve }) })
  return {
    email: emailWay({ clock, outbound, ...(ca && { ca }) }),
    webhook: webhookWay({ clock, outbound }),
    apprise: appriseWay({ clock, outbound, program: () => findApprise(env['PULSE_APPRISE_PATH']) }),
    emailProviders,
    webhookTemplates,
  }
}
