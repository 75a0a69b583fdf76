import { mailRows, mostLines, webhookCapacity } from '@pulse/domain'
import type { Channels } from './channel.ts'
import { maskedUrl } from './channels/masks.ts'
import type { NotificationConfig } from './settings.ts'
import type { ActiveWay } from './way.ts'

const defaultRetryPolicy = { quickTries: 3, firstPauseMs: 1_000 }
export const webhookWayId = (id: string): string => `webhook:${id}`

/** Every way out that is set up, also while it is switched off. */
export function waysOf({ email, apprise, webhooks }: NotificationConfig, channels: Channels): ActiveWay[] {
  return [
    {
      info: {
        id: 'email',
        kind: 'email',
        name: 'Email',
        enabled: email.enabled,
        capacity: { firing: mailRows, resolved: mailRows },
      },
      service: 'email',
      address: `${email.server}:${email.port}`,
      retryPolicy: { quickTries: email.maxRetries, firstPauseMs: email.retryDelay * 1000 },
      send: (notice, signal) => channels.email.send(email, notice, signal),
    },
    {
      info: {
        id: 'apprise',
        kind: 'apprise',
        name: 'Apprise',
        enabled: apprise.enabled,
        capacity: { firing: mostLines, resolved: mostLines },
      },
      service: 'apprise',
      address: apprise.mode === 'http' ? maskedUrl(apprise.serverUrl) : 'apprise',
      retryPolicy: defaultRetryPolicy,
      send: (notice, signal) => channels.apprise.send(apprise, notice, signal),
    },
    ...webhooks.map((webhook): ActiveWay => ({
      info: {
        id: webhookWayId(webhook.id),
        kind: 'webhook',
        name: webhook.name,
        enabled: webhook.enabled,
        capacity: webhookCapacity(webhook),
        hasIncidents: webhook.service === 'pagerduty',
      },
      service: webhook.service,
      address: maskedUrl(webhook.url),
      retryPolicy: defaultRetryPolicy,
      send: (notice, signal) => channels.webhook.send(webhook, notice, signal),
    })),
  ]
}

/** Ways out that lead elsewhere, or in another manner, than before. */
export function changedWays(before: NotificationConfig, now: NotificationConfig): string[] {
  const isAllowedOther = before.outbound !== now.outbound
  const changed: string[] = []
  if (isAllowedOther || before.email !== now.email) changed.push('email')
  if (isAllowedOther || before.apprise !== now.apprise) changed.push('apprise')
  const old = new Map(before.webhooks.map((webhook) => [webhook.id, webhook]))
  for (const webhook of now.webhooks) {
    const known = old.get(webhook.id)
    const isOther = known !== undefined && JSON.stringify(known) !== JSON.stringify(webhook)
    if (isAllowedOther || isOther) changed.push(webhookWayId(webhook.id))
  }
  return changed
}
