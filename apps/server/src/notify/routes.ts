import {
  type AlertTrace,
  AppriseConfigInput,
  deleteWebhook,
  EmailConfigInput,
  getAlertTrace,
  getAppriseConfig,
  getDeliveries,
  getEmailConfig,
  getEmailProviders,
  getOutboundConfig,
  getWebhookHistory,
  getWebhooks,
  getWebhookTemplates,
  postDeliveryRetry,
  postNotificationTest,
  postWebhook,
  postWebhookTest,
  putAppriseConfig,
  putEmailConfig,
  putOutboundConfig,
  putWebhook,
  type Webhook,
} from '@pulse/contract'
import type * as z from 'zod/mini'
import { AppError } from '../app-error.ts'
import type { DeliveryStore } from '../db/deliveries.ts'
import { type Input, route } from '../http/route.ts'
import type { Channels } from './channel.ts'
import { deliveryLog, webhookHistory } from './delivery-log.ts'
import type { Pipeline } from './pipeline.ts'
import { changedApprise, shownApprise } from './channels/apprise/settings.ts'
import { changedEmail } from './channels/email/settings.ts'
import type { NotificationSettings } from './settings.ts'
import { invalid, refuseProblems } from './channels/refusals.ts'
import { changedWebhook, newWebhook, shownWebhook, triedWebhook } from './channels/webhook/settings.ts'
import type { Trial } from './test-send.ts'
import { waysOf, webhookWayId } from './configured-channels.ts'

export interface NotificationRouteEdges {
  settings: NotificationSettings
  channels: Channels
  pipeline: Pipeline
  store: DeliveryStore
  trial: Trial
  /** of the alerts, without what was sent about them */
  trace: (alertOrResource: string) => AlertTrace | undefined
}

const done = { status: 'success' as const }
const noWebhook = () => new AppError('not_found', 'There is no such webhook; it may have been deleted.')

export function notificationRoutes(edges: NotificationRouteEdges) {
  const { settings, channels, pipeline, store, trial, trace } = edges
  const { current, change } = settings
  const webhookOf = (id: string): Webhook | undefined => current().webhooks.find((one) => one.id === id)
  const checked = <S>(value: S, problems: (settings: S) => Record<string, string>): S => {
    refuseProblems(problems(value))
    return value
  }
  const wayFor = (changes: Partial<ReturnType<typeof current>>, id: string) =>
    waysOf({ ...current(), ...changes }, channels).find(({ info }) => info.id === id)!
  const tryWebhook = (webhook: Webhook) => {
    const checkedOne = checked(webhook, channels.webhook.problems)
    return trial(wayFor({ webhooks: [checkedOne] }, webhookWayId(checkedOne.id)))
  }

  async function test({ body, note }: Input<typeof postNotificationTest>): Promise<string> {
    const method = body.method ?? body.type
    if (method === undefined) throw invalid('type', 'Set what to test: email, webhook or apprise.')
    note({ target: method })
    if (method === 'email') {
      const email = changedEmail(current().email, parsed(EmailConfigInput, body.config))
      if (!email.enabled) throw new AppError('bad_request', 'Email is switched off. Switch it on to test it.')
      await trial(wayFor({ email: checked(email, channels.email.problems) }, 'email'))
      return 'The test email was sent.'
    }
    if (method === 'apprise') {
      const apprise = changedApprise(current().apprise, parsed(AppriseConfigInput, body.config))
      if (!apprise.enabled)
        throw new AppError(
          'bad_request',
          'Apprise is switched off or has no targets. Switch it on to test it.',
        )
      await trial(wayFor({ apprise: checked(apprise, channels.apprise.problems) }, 'apprise'))
      return 'The test notification was sent by Apprise.'
    }
    const { webhooks } = current()
    const webhook =
      body.webhookId === undefined ? webhooks.find(({ enabled }) => enabled) : webhookOf(body.webhookId)
    if (!webhook) throw noWebhook()
    note({ target: webhook.name })
    await tryWebhook(webhook)
    return `The test was sent to ${webhook.name}.`
  }

  return [
    route(getEmailConfig, settings.documents.email.shown),
    route(putEmailConfig, async ({ body, note }) => {
      note({ target: 'email' })
      const { enabled, server, port } = await change('email', (now) =>
        checked(changedEmail(now, body), channels.email.problems),
      )
      note({ target: 'email', details: `${enabled ? 'on' : 'off'}, ${server}:${port}` })
      return done
    }),
    route(getAppriseConfig, settings.documents.apprise.shown),
    route(putAppriseConfig, async ({ body, note }) => {
      note({ target: 'Apprise' })
      const now = await change('apprise', (before) =>
        checked(changedApprise(before, body), channels.apprise.problems),
      )
      note({ target: 'Apprise', details: `${now.enabled ? 'on' : 'off'}, ${now.targets.length} targets` })
      return shownApprise(now)
    }),
    route(getWebhooks, () => [...settings.documents.webhooks.shown()]),
    route(postWebhook, async ({ body, note }) => {
      let made: Webhook | undefined
      await change('webhooks', (list) => {
        made = checked(newWebhook(body, list), channels.webhook.problems)
        return [...list, made]
      })
      note({ target: made!.name, details: shownWebhook(made!).url })
      return shownWebhook(made!)
    }),
    route(putWebhook, async ({ params: { id }, body, note }) => {
      note({ target: webhookOf(id)?.name ?? id })
      const list = await change('webhooks', (before) => {
        const old = before.find((one) => one.id === id)
        if (!old) throw noWebhook()
        const next = checked(changedWebhook(old, body), channels.webhook.problems)
        return before.map((one) => (one === old ? next : one))
      })
      const now = shownWebhook(list.find((one) => one.id === id)!)
      note({ target: now.name, details: `${now.enabled ? 'on' : 'off'}, ${now.url}` })
      return now
    }),
    route(deleteWebhook, async ({ params: { id }, note }) => {
      await change('webhooks', (list) => {
        const old = list.find((one) => one.id === id)
        if (!old) throw noWebhook()
        note({ target: old.name })
        return list.filter((one) => one !== old)
      })
      return done
    }),
    route(postWebhookTest, async ({ body, note }) => {
      const webhook = triedWebhook(body.id === undefined ? undefined : webhookOf(body.id), body)
      note({ target: webhook.name, details: shownWebhook(webhook).url })
      const { status = 200, response = '' } = await tryWebhook(webhook)
      return { success: true as const, status, response }
    }),
    route(postNotificationTest, async (input) => ({ ...done, message: await test(input) })),
    route(getWebhookTemplates, () => [...channels.webhookTemplates]),
    route(getEmailProviders, () => [...channels.emailProviders]),
    route(getOutboundConfig, () => current().outbound),
    route(putOutboundConfig, async ({ body, note }) => {
      const { allowedHosts } = await change('outbound', () => ({
        allowedHosts: [...new Set(body.allowedHosts.map((host) => host.toLowerCase()))],
      }))
      note({ target: 'allowed hosts', details: allowedHosts.join(', ').slice(0, 500) || 'none' })
      return { allowedHosts }
    }),
    route(getDeliveries, ({ query }) => deliveryLog(store, pipeline, query ?? {})),
    route(postDeliveryRetry, async ({ params: { id }, note }) => {
      note({ target: id })
      const answer = await pipeline.retry(id)
      if (answer === 'unknown')
        throw new AppError('not_found', 'Message not found; the log keeps only the latest.')
      if (answer === 'pending')
        throw new AppError('conflict', 'This message is still queued and will be sent later.')
      if (answer === 'done')
        throw new AppError(
          'conflict',
          'This message is final: it was delivered, was a test or was cancelled.',
        )
      if (answer === 'noWay')
        throw new AppError('conflict', 'The channel of this message is disabled or was removed.')
      return done
    }),
    route(getAlertTrace, ({ query: { alert, resource } }) => {
      const what = alert ?? resource
      if (what === undefined) throw new AppError('bad_request', 'Name an alert or a resource.')
      const found = trace(what)
      if (!found) throw new AppError('not_found', 'No such alert or resource.')
      const conditions = found.conditions.map((condition) => {
        const notices = pipeline.explain(condition.alertId)
        return notices.length === 0 ? condition : { ...condition, notices }
      })
      return { ...found, conditions }
    }),
    route(getWebhookHistory, () => webhookHistory(store)),
  ]
}

function parsed<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value ?? {})
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw invalid(issue?.path.join('.') || 'config', 'This value cannot be used here.')
}
