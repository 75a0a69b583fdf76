import type { Webhook } from '@pulse/contract'
import {
  type Clock,
  redactedUrl,
  sampleAddress,
  secretsOfUrl,
  TemplateError,
  webhookProblems,
  type WebhookRequest,
  webhookRequests,
  webhookServicesByName,
  withoutSecrets,
} from '@pulse/domain'
import type { Outbound } from '../../../outbound/guard.ts'
import { OutboundError } from '../../../outbound/outbound-error.ts'
import { slidingWindows } from '../../../timing/rate-limit.ts'
import type { Outcome, Sender } from '../../channel.ts'
import { failed, rateLimited, unreachable } from '../outcomes.ts'
import { type Answered, outcomeOf } from './answer.ts'

const limitMs = 30_000
const requestsPerMinute = 10

export interface WebhookSenderEdges {
  clock: Clock
  outbound: Outbound
}

/**
 * Sends webhooks of every service. The domain builds the requests; the outbound guard checks their
 * destinations.
 */
export function createWebhookSender({ clock, outbound }: WebhookSenderEdges): Sender<Webhook> {
  const windowOf = slidingWindows(clock, { windowMs: 60_000, keys: 1_000 })

  async function sendAll(
    webhook: Webhook,
    requests: readonly WebhookRequest[],
    signal: AbortSignal,
  ): Promise<Outcome> {
    const secrets = secretsOf(webhook, requests)
    const outcomeFor = (answered: Answered): Outcome =>
      outcomeOf(webhook, answered, (text) => withoutSecrets(text, secrets), clock.now())
    let [bytes, named] = [0, 0]
    let outcome: Outcome = { delivered: true, bytes }
    for (const request of requests) {
      bytes += Buffer.byteLength(request.body)
      const { status, headers, body } = await outbound.call({ ...request, limitMs }, signal)
      outcome = { ...outcomeFor({ status, headers, body: body.toString() }), bytes }
      if (!outcome.delivered) return outcome
      named += request.names
      outcome = { ...outcome, named }
    }
    return outcome
  }

  return {
    async send(webhook, notice, signal) {
      let requests: WebhookRequest[]
      try {
        requests = webhookRequests(webhook, notice)
      } catch (error) {
        if (error instanceof TemplateError)
          return failed(`The template cannot be used. ${error.message}.`, 'never')
        throw error
      }
      const waitMs = windowOf(requests[0]!.url).take(requestsPerMinute)
      if (waitMs > 0) {
        return rateLimited(`${webhook.name} got ${requestsPerMinute} messages within a minute.`, waitMs)
      }
      try {
        return await sendAll(webhook, requests, signal)
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error
        const safe = new OutboundError(
          withoutSecrets(error.message, secretsOf(webhook, requests)),
          error.fault,
        )
        return unreachable(
          safe,
          error.fault === 'refused'
            ? 'Change the URL of the webhook.'
            : 'Check that it runs and can be reached from here.',
        )
      }
    },
    problems(webhook) {
      const problems = webhookProblems(webhook)
      if (problems['url']) return problems
      const problem = outbound.urlProblem(sampleAddress(webhook))
      return problem
        ? { ...problems, url: `${redactedUrl(webhook.url)} cannot be called: ${problem}.` }
        : problems
    },
  }
}

/** Secrets that an answer may quote: parts of the address, custom fields and headers. */
function secretsOf(
  { url, customFields, headers, service }: Webhook,
  requests: readonly WebhookRequest[],
): string[] {
  const shown = new Set(
    webhookServicesByName[service].template.fields.filter(({ secret }) => !secret).map(({ name }) => name),
  )
  const fields = Object.entries(customFields).filter(([name]) => !shown.has(name))
  const harmless = /^(?:content-type|accept|user-agent|title|priority|tags)$/i
  const values = Object.entries(headers).filter(([name]) => !harmless.test(name))
  return [
    ...secretsOfUrl(url),
    ...requests.slice(0, 1).flatMap((request) => secretsOfUrl(request.url)),
    ...[...fields, ...values].flatMap(([, value]) => [
      value,
      value.replace(/^(?:Bearer|Basic|Token)\s+/i, ''),
    ]),
  ]
}
