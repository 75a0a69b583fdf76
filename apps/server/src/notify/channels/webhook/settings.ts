import {
  webhookLimits,
  secretMask,
  type Webhook,
  type WebhookChange,
  webhookDefaults,
  type WebhookInput,
  type WebhookTestInput,
} from '@pulse/contract'
import type { Destination } from '@pulse/domain'
import { randomUUID } from 'node:crypto'
import { AppError } from '../../../app-error.ts'
import { isMasked, maskedUrl } from '../masks.ts'
import { invalid, secretsRequired } from '../refusals.ts'

const harmlessHeaders = new Set([
  'accept',
  'accept-language',
  'content-type',
  'user-agent',
  'title',
  'x-title',
  'priority',
  'x-priority',
  'tags',
  'x-tags',
  'icon',
  'markdown',
])
const harmlessFields = new Set(['device', 'sound', 'priority', 'retry', 'expire', 'title', 'tags', 'channel'])

const isHarmlessHeader = (name: string): boolean => harmlessHeaders.has(name.toLowerCase())
const isHarmlessField = (name: string): boolean => harmlessFields.has(name.toLowerCase())

const maskedValues = (
  values: Readonly<Record<string, string>>,
  isHarmless: (name: string) => boolean,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value === '' || isHarmless(name) ? value : secretMask,
    ]),
  )

export const shownWebhook = (webhook: Webhook): Webhook => ({
  ...webhook,
  url: maskedUrl(webhook.url),
  headers: maskedValues(webhook.headers, isHarmlessHeader),
  customFields: maskedValues(webhook.customFields, isHarmlessField),
})

/** A placeholder in the host would hide the destination of a secret. */
function refuseNoHost(url: string): void {
  const [, scheme = '', authority = ''] = /^(https?:\/\/)([^/?#]*)/i.exec(url.trim()) ?? []
  if (authority.includes('{{')) throw invalid('url', 'The host cannot come from a placeholder; enter it.')
  const parsed = URL.parse(`${scheme}${authority.slice(authority.lastIndexOf('@') + 1)}`)
  if (!parsed || parsed.hostname === '')
    throw invalid('url', 'Enter a URL that begins with https:// or http://.')
}

/** One host serves many users, so the rest of the URL may belong to another user. */
function changeOf(from: string, to: string): [Destination, Destination] {
  const [before, after] = [maskedUrl(from), maskedUrl(to)]
  return [{ address: before }, { address: before === after ? `another one like ${after}` : after }]
}

const emptyWebhook: Webhook = { id: '', name: '', url: '', ...webhookDefaults }

export function newWebhook(input: WebhookInput, others: readonly Webhook[]): Webhook {
  if (others.length >= webhookLimits.webhooks)
    throw new AppError('bad_request', `There are ${others.length} webhooks already, which is the maximum.`)
  return { ...changedWebhook(undefined, input), id: `webhook-${randomUUID()}` }
}

/** The webhook of a test: stored values replace masked ones. */
export const testedWebhook = (stored: Webhook | undefined, { name, ...input }: WebhookTestInput): Webhook =>
  changedWebhook(stored, { ...input, name: name || stored?.name || 'Test' })

/**
 * An absent field keeps its value, and a masked value keeps the stored one. Throws `secret_required` when a
 * stored value would go to another destination, or when no value is stored.
 */
export function changedWebhook(stored: Webhook | undefined, { id: _, ...input }: WebhookChange): Webhook {
  const old = stored ?? emptyWebhook
  const present = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
  const url = merged(input.url ?? old.url, stored && maskedUrl(old.url), old.url)
  const headers = mergedValues('headers', input.headers, old.headers, isHarmlessHeader)
  const fields = mergedValues('customFields', input.customFields, old.customFields, isHarmlessField)
  if (isMasked(url)) throw secretsRequired(['url'], { address: '' }, { address: '' })
  const missing = [...headers.missing, ...fields.missing]
  if (missing.length > 0) throw secretsRequired(missing, { address: '' }, { address: '' })
  refuseNoHost(url)
  const kept = [...headers.kept, ...fields.kept]
  if (stored && url !== old.url && kept.length > 0) throw secretsRequired(kept, ...changeOf(old.url, url))
  return { ...old, ...present, id: old.id, url, headers: headers.values, customFields: fields.values }
}

const merged = (input: string, masked: string | undefined, stored: string) =>
  input === masked ? stored : input

function mergedValues(
  list: 'headers' | 'customFields',
  input: Readonly<Record<string, string>> | undefined,
  stored: Readonly<Record<string, string>>,
  isHarmless: (name: string) => boolean,
) {
  const [kept, missing]: [string[], string[]] = [[], []]
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(input ?? stored)) {
    const isKept = !input || (value === secretMask && Object.hasOwn(stored, name))
    values[name] = isKept ? stored[name]! : value
    if (isKept && !isHarmless(name) && values[name] !== '') kept.push(`${list}.${name}`)
    if (!isKept && isMasked(value)) missing.push(`${list}.${name}`)
  }
  return { values, kept, missing }
}
