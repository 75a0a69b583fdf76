import { type Call, type HttpSink, openHttpSink } from './http-sink.ts'
import { judge } from './shapes/index.ts'

/** A received message, accepted or not. */
export interface ReceivedWebhook extends Call {
  /** `any` if no service has this path */
  service: string
  json: unknown
  /** reasons for which the service would reject it */
  problems: readonly string[]
}

export interface WebhookSink extends HttpSink {
  /** URLs of the services with their own format, with realistic tokens; others listen at `/json/<service>` */
  urls: Record<string, string>
  /** oldest first */
  received(): readonly ReceivedWebhook[]
  clear(): void
}

/** Receivers of ten services on 127.0.0.1. An invalid message is answered with 400 and the reason. */
export async function startWebhookSink(options: { port?: number } = {}): Promise<WebhookSink> {
  let received: ReceivedWebhook[] = []
  const sink = await openHttpSink(options.port ?? 0, (call) => {
    const { service, json, problems, taken } = judge(call)
    received.push({ ...call, service, json, problems })
    return problems.length === 0 ? taken : { status: 400, body: { errors: problems } }
  })
  const at = (path: string) => `${sink.origin}${path}`
  return {
    ...sink,
    urls: {
      generic: at('/generic'),
      discord: at('/api/webhooks/112233445566778899/canary-Discord_token-0123456789'),
      slack: at('/services/T00000000/B00000000/canarySlackToken00000000'),
      telegram: at('/bot123456789:canary-Telegram_token-0123456789/sendMessage?chat_id=-1001234567890'),
      teams: at('/webhookb2/canary-teams-group@tenant/IncomingWebhook/canaryteamstoken/user'),
      'teams-adaptive': at('/webhookb2/canary-teams-group@tenant/IncomingWebhook/canaryteamstoken/user'),
      pagerduty: at('/v2/enqueue'),
      pushover: at('/1/messages.json'),
      gotify: at('/message?token=canaryGotify0123'),
      ntfy: at('/ntfy/canary-topic'),
    },
    received: () => received,
    clear() {
      received = []
    },
  }
}
