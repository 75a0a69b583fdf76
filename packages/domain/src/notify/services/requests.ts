import type { Webhook, WebhookMethod } from '@pulse/contract'
import { mostSevereFirst } from '../batch.ts'
import type { Capacity } from '../dispatch.ts'
import { type Message, toMessage } from '../message.ts'
import type { Notice } from '../notice.ts'
import { alertsInTemplate, templateData, templateSamples } from '../template-data.ts'
import { parseTemplate } from '../template/parse.ts'
import { renderTemplate, templateProblem } from '../template/render.ts'
import type { Value } from '../template/values.ts'
import { services } from './index.ts'
import { linesOfText, type Payload, type WebhookService } from './service.ts'
import { chatIdOf } from './telegram.ts'

export interface WebhookRequest {
  url: string
  method: WebhookMethod
  headers: Record<string, string>
  body: string
  /** number of further alerts that this request names */
  names: number
}

/** Receivers drop duplicates by this header. */
export const eventIdHeader = 'X-Pulse-Event-Id'

/** One request for the notice, or one for each alert. Throws TemplateError. */
export function webhookRequests(webhook: Webhook, notice: Notice): WebhookRequest[] {
  const service = services[webhook.service]
  return noticesOf(webhook, notice).map((one) => {
    const message = toMessage(one)
    const data = () => templateData(message, webhook.customFields, chatIdOf(webhook.url) ?? '')
    const url = rendered(webhook.url, data)
    const payload = hasTemplate(webhook)
      ? custom(webhook, service, message, data())
      : service.payload(message, webhook)
    return {
      url: service.address?.(url) ?? url,
      method: webhook.method,
      headers: headersOf(webhook, service, message),
      body: typeof payload === 'string' ? payload : JSON.stringify(payload, wellFormed),
      names: namesOf(webhook, message),
    }
  })
}

const fields = { Message: /\.Message\b/, Alerts: /\.Alerts\b/ }
const uses = ({ template }: Webhook, field: keyof typeof fields): boolean => fields[field].test(template)

/** A template that uses neither the lines of a message nor its alerts shows the first alert only. */
const isPerAlert = (webhook: Webhook): boolean =>
  services[webhook.service].isPerAlert === true ||
  (hasTemplate(webhook) && !uses(webhook, 'Message') && !uses(webhook, 'Alerts'))

function noticesOf(webhook: Webhook, notice: Notice): Notice[] {
  if (!isPerAlert(webhook)) return [notice]
  const { firing, resolved } = webhookCapacity(webhook)
  return mostSevereFirst(notice.alerts, ({ alert }) => alert)
    .slice(0, notice.kind === 'resolved' ? resolved : firing)
    .map((one) => ({ ...notice, alerts: [one], left: [] }))
}

/** Maximum number of alerts that one message can name. */
export function webhookCapacity(webhook: Webhook): Capacity {
  if (!hasTemplate(webhook) || isPerAlert(webhook)) return services[webhook.service].capacity
  return uses(webhook, 'Alerts') ? { firing: alertsInTemplate, resolved: alertsInTemplate } : linesOfText
}

function namesOf(webhook: Webhook, message: Message): number {
  if (isPerAlert(webhook)) return 1
  if (!hasTemplate(webhook)) return services[webhook.service].names(message)
  return Math.min(message.notice.alerts.length, webhookCapacity(webhook).firing)
}

/** Strict receivers refuse lone surrogates. */
const wellFormed = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value

/** Problems by field of the contract. */
export function webhookProblems(webhook: Webhook): Record<string, string> {
  const service = services[webhook.service]
  const samples = templateSamples(webhook.customFields)
  const problems: Record<string, string> = { ...service.problems?.(webhook) }
  if (webhook.url.includes('{{')) {
    const problem = templateProblem(webhook.url, samples, 'url')
    if (problem) problems['url'] = problem
  }
  if (hasTemplate(webhook)) {
    const problem = templateProblem(webhook.template, samples, targetOf(webhook))
    if (problem) problems['template'] = problem
  }
  for (const [name, value] of Object.entries(webhook.headers)) {
    if (isReserved(name))
      problems[`headers.${name}`] = `${name} is set by the connection itself; leave it out.`
    else if (/[^\x20-\x7e]/.test(value))
      problems[`headers.${name}`] = `The value of ${name} has characters that no header can carry: use ASCII.`
  }
  return problems
}

/** The address with sample values, to check it before any call. */
export function sampleAddress(webhook: Webhook): string {
  const [sample] = templateSamples(webhook.customFields)
  const url = rendered(webhook.url, () => sample)
  return services[webhook.service].address?.(url) ?? url
}

const hasTemplate = ({ template }: Webhook): boolean => template.trim() !== ''
const targetOf = ({ service }: Webhook) => (service === 'ntfy' ? 'text' : 'json')

const rendered = (url: string, data: () => Value): string =>
  url.includes('{{') ? renderTemplate(parseTemplate(url), data(), 'url') : url

function custom(webhook: Webhook, service: WebhookService, message: Message, data: Value): Payload {
  const text = renderTemplate(parseTemplate(webhook.template), data, targetOf(webhook))
  if (!service.finished) return text
  const payload: unknown = JSON.parse(text)
  const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload)
  return isObject ? service.finished(payload as Record<string, unknown>, message, webhook) : text
}

function headersOf(webhook: Webhook, service: WebhookService, message: Message): Record<string, string> {
  const byName = new Map<string, [string, string]>()
  const put = (headers: Record<string, string>) => {
    for (const [name, value] of Object.entries(headers)) byName.set(name.toLowerCase(), [name, value])
  }
  put({ 'User-Agent': 'Pulse', ...service.template.headers, ...service.headers?.(message) })
  const own = Object.entries(webhook.headers).filter(
    ([name, value]) => !value.includes('{{') && !isReserved(name) && !isPayload(webhook, name),
  )
  put(Object.fromEntries(own.map(([name, value]) => [name, value.replace(/\p{Cc}/gu, ' ').trim()])))
  put({ [eventIdHeader]: message.notice.eventId })
  return Object.fromEntries(byName.values())
}

/** Set by the connection itself. */
const isReserved = (name: string): boolean =>
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*)$/i.test(
    name,
  )

/** Pulse 4.x stores the PagerDuty key among the headers. */
const isPayload = ({ service }: Webhook, name: string): boolean =>
  service === 'pagerduty' && name.toLowerCase() === 'routing_key'
