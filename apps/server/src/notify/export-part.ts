import { AppriseConfigInput, EmailConfigInput, OutboundConfig, Webhook } from '@pulse/contract'
import * as z from 'zod/mini'
import type { SettingsTable } from '../db/settings.ts'
import { count, nothing, part, type TransferPart } from '../export-part.ts'
import { olderApprise, olderEmail, olderWebhooks } from './older.ts'
import { appriseFrom } from './settings/apprise.ts'
import { emailFrom } from './settings/email.ts'
import { documents } from './settings/index.ts'

/** Where alerts are sent, with the secrets: each replaced as a whole. What was sent, and is to be, stays here. */
export const notificationParts = (store: SettingsTable): TransferPart[] => {
  const readStored = async (key: string) => {
    const text = await store.read(key)
    return text === undefined ? undefined : (JSON.parse(text) as unknown)
  }
  const { email, apprise, webhooks, outbound } = documents
  return [
    part({
      key: 'email',
      schema: EmailConfigInput,
      older: olderEmail,
      read: async () => (await readStored(email.key)) as EmailConfigInput | undefined,
      async plan(input) {
        if (Object.keys(input).length === 0) return nothing
        const text = email.write(emailFrom(input))
        return { summary: 'email settings', notes: [], queries: [store.writing(email.key, text)] }
      },
    }),
    part({
      key: 'apprise',
      schema: AppriseConfigInput,
      older: olderApprise,
      read: async () => (await readStored(apprise.key)) as AppriseConfigInput | undefined,
      async plan(input) {
        if (Object.keys(input).length === 0) return nothing
        const text = apprise.write(appriseFrom(input))
        return { summary: 'Apprise settings', notes: [], queries: [store.writing(apprise.key, text)] }
      },
    }),
    part({
      key: 'webhooks',
      schema: z.array(Webhook),
      older: olderWebhooks,
      read: async () => (await readStored(webhooks.key)) as Webhook[] | undefined,
      async plan(list) {
        if (list.length === 0) return nothing
        return {
          summary: count(list.length, 'webhook'),
          notes: [],
          queries: [store.writing(webhooks.key, webhooks.write(list))],
        }
      },
    }),
    part({
      key: 'outbound',
      schema: OutboundConfig,
      read: async () => (await readStored(outbound.key)) as OutboundConfig | undefined,
      async plan(value) {
        const hosts = count(value.allowedHosts.length, 'allowed host')
        return {
          summary: hosts,
          notes: [],
          queries: [store.writing(outbound.key, outbound.write(value))],
        }
      },
    }),
  ]
}
