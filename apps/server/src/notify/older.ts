import {
  AppriseConfigInput,
  EmailConfigInput,
  Webhook,
  webhookDefaults,
  webhookServices,
} from '@pulse/contract'
import { randomUUID } from 'node:crypto'
import type * as z from 'zod/mini'
import { listed } from '../export-part.ts'
import { type Fields, fieldsOf, type OlderPart } from '../older-part.ts'

/** Ways out of Pulse 4.x, field by field: one that does not fit keeps nobody from moving. */

function fitting<S extends z.ZodMiniObject>(schema: S, value: unknown) {
  const taken: Fields = {}
  const left: string[] = []
  for (const [name, given] of Object.entries(fieldsOf(value))) {
    if (!Object.hasOwn(schema.shape, name) || given === null) continue
    if (schema.safeParse({ [name]: given }).success) taken[name] = given
    else left.push(name)
  }
  return { taken, left }
}

const leftOut = (what: string, left: readonly string[]) =>
  left.length === 0 ? [] : [`${what} that are invalid here were left out: ${listed(left)}.`]

/** Its `tls` never had an effect: port 465 was encrypted from the beginning, and what asked for more was not. */
function transport(taken: Fields): Fields {
  const wasEncrypted = taken['tls'] === true || taken['startTLS'] === true
  const isImplicit = taken['port'] === 465
  return { ...taken, tls: wasEncrypted && isImplicit, startTLS: wasEncrypted && !isImplicit }
}

export const olderEmail: OlderPart<EmailConfigInput> = {
  field: 'email',
  take(value) {
    const { taken, left } = fitting(EmailConfigInput, value)
    const { server = '', enabled } = taken
    if (server !== '')
      return {
        taken: transport(taken) as EmailConfigInput,
        notes: leftOut('Settings of email', left),
      }
    const notes = enabled === true ? ['Settings of email were left out: they name no server.'] : []
    return { taken: undefined, notes }
  },
}

export const olderApprise: OlderPart<AppriseConfigInput> = {
  field: 'apprise',
  take(value) {
    const { taken, left } = fitting(AppriseConfigInput, value)
    const { targets } = taken
    const isSetUp = Array.isArray(targets) && targets.length > 0
    return {
      taken: isSetUp ? (taken as AppriseConfigInput) : undefined,
      notes: leftOut('Settings of Apprise', left),
    }
  },
}

export const olderWebhooks: OlderPart<Webhook[]> = {
  field: 'webhooks',
  take(value) {
    const left: string[] = []
    const taken = (Array.isArray(value) ? value : []).flatMap((one: unknown) => {
      const fields = Object.fromEntries(Object.entries(fieldsOf(one)).filter(([, field]) => field !== null))
      const service = webhookServices.find((known) => known === fields['service']) ?? 'generic'
      const method = fields['method'] || webhookDefaults.method
      const result = Webhook.safeParse({
        ...webhookDefaults,
        id: `webhook-${randomUUID()}`,
        ...fields,
        name: fields['name'] || service,
        service,
        method,
      })
      const isHostFixed = !/^https?:\/\/[^/?#]*\{\{/i.test(String(fields['url']))
      if (result.success && isHostFixed) return [result.data]
      left.push(String(fields['name'] ?? 'without a name'))
      return []
    })
    return { taken: taken.length === 0 ? undefined : taken, notes: leftOut('Webhooks', left) }
  },
}
