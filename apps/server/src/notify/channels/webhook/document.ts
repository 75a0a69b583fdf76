import { Webhook, webhookDefaults, webhookLimits, webhookServices } from '@pulse/contract'
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { count, fieldsOf, invalidFile, leftOut } from '../../../export-part.ts'
import type { SettingsDefinition } from '../../../settings-document.ts'
import { type Destination, disabledNotes, shownUrl } from '../import.ts'
import { shownWebhook } from './settings.ts'

export const webhookDocument: SettingsDefinition<readonly Webhook[]> = {
  key: 'notifications.webhooks',
  name: 'webhooks',
  defaults: () => [],
  parse: (stored) => z.array(Webhook).parse(stored),
  shown: (list) => list.map(shownWebhook),
  // a webhook has no optional fields: an unreadable one is left out as a whole
  setAside: 'each',
  exported: {
    key: 'webhooks',
    schema: z.array(Webhook),
    older: { field: 'webhooks', take: fromLegacy },
    read(list: readonly Webhook[]) {
      refuseInvalidList(list)
      return list
    },
    plan(list, { value: here }, by) {
      const destinations: Destination[] = []
      const settings = list.map((webhook) => {
        const found = newDestination(webhook, here)
        if (found) destinations.push(found)
        return found && !by.confirmsDestinations ? { ...webhook, enabled: false } : webhook
      })
      const notes = disabledNotes(destinations, by)
      return { settings, summary: count(list.length, 'webhook'), notes, changes: { destinations } }
    },
  },
}

function fromLegacy(value: unknown) {
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
  return { taken: taken.length === 0 ? undefined : taken, notes: leftOut('webhooks', left) }
}

/** Headers, fields and the template are part of the destination: they tell a service the final recipient. */
function newDestination(webhook: Webhook, here: readonly Webhook[]): Destination | undefined {
  const keyOf = ({ id: _id, name: _name, enabled: _enabled, ...key }: Webhook) => key
  const isHere = here.some((one) => one.enabled && isDeepStrictEqual(keyOf(one), keyOf(webhook)))
  if (!webhook.enabled || isHere) return undefined
  return { kind: 'webhook', name: webhook.name, goesTo: shownUrl(webhook.url) }
}

/** The limits of the page apply to an import too. */
function refuseInvalidList(list: readonly Webhook[]): void {
  const { webhooks: most } = webhookLimits
  if (list.length > most)
    throw invalidFile('webhooks', `There are ${list.length} of them; the maximum is ${most}.`)
  const ids = new Set<string>()
  for (const [index, { id }] of list.entries()) {
    if (ids.has(id)) throw invalidFile(`webhooks[${index}]`, 'Its id is that of another webhook.')
    ids.add(id)
  }
}
