import { Webhook, webhookDefaults, webhookLimits, webhookServices } from '@pulse/contract'
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { count, fieldsOf, invalidFile, part, type TransferPart } from '../../../export-part.ts'
import type { SettingsDocument } from '../../../settings-document.ts'
import { type Destination, disabledNotes, leftOut, shownUrl } from '../import.ts'

const legacy = {
  field: 'webhooks',
  take(value: unknown) {
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

export const webhookExportPart = (document: SettingsDocument<readonly Webhook[]>): TransferPart =>
  part({
    key: 'webhooks',
    schema: z.array(Webhook),
    older: legacy,
    read: async () => [...(await document.stored()).value],
    async plan(list, by) {
      refuseInvalidList(list)
      const { value: here } = await document.stored()
      const destinations: Destination[] = []
      const next = list.map((webhook) => {
        const found = newDestination(webhook, here)
        if (found) destinations.push(found)
        return found && !by.confirmsDestinations ? { ...webhook, enabled: false } : webhook
      })
      return {
        summary: count(list.length, 'webhook'),
        notes: disabledNotes(destinations, by),
        changes: { destinations },
        queries: [document.writing(next)],
      }
    },
  })

/**
 * Headers, fields and the template belong to the destination: a service may forward a message according to
 * them.
 */
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
