import {
  AppriseConfigInput,
  EmailConfigInput,
  type ImportChanges,
  webhookLimits,
  OutboundConfig,
  Webhook,
} from '@pulse/contract'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import {
  count,
  type Importer,
  invalidFile,
  listed,
  nothing,
  type Plan,
  part,
  type TransferPart,
} from '../export-part.ts'
import { plainEntry, withPlainHost } from '../outbound/allowed-hosts.ts'
import type { AppriseSettings, EmailSettings } from './channel.ts'
import { olderApprise, olderEmail, olderWebhooks } from './older.ts'
import { appriseFrom, storedApprise } from './channels/apprise/settings.ts'
import { emailFrom, storedEmail } from './channels/email/settings.ts'
import type { NotificationDocuments } from './settings.ts'
import { maskedTarget, maskedUrl } from './channels/masks.ts'

type Destination = ImportChanges['destinations'][number]

/** Where alerts are sent, with the secrets: each replaced as a whole. Messages and their log stay. */
export const notificationParts = ({
  email,
  apprise,
  webhooks,
  outbound,
}: NotificationDocuments): TransferPart[] => {
  return [
    part({
      key: 'email',
      schema: EmailConfigInput,
      older: olderEmail,
      read: async () => storedEmail((await email.stored()).value),
      async plan(input, by) {
        if (Object.keys(input).length === 0) return nothing
        const next = emailFrom(input)
        const found = emailDestination(next, (await email.stored()).value)
        const [enabled, confirmation] = confirmed(next.enabled, found, by)
        return {
          summary: next.server === '' ? '' : 'email settings',
          ...confirmation,
          queries: [email.writing({ ...next, enabled })],
        }
      },
    }),
    part({
      key: 'apprise',
      schema: AppriseConfigInput,
      older: olderApprise,
      read: async () => storedApprise((await apprise.stored()).value),
      async plan(input, by) {
        if (Object.keys(input).length === 0) return nothing
        const next = appriseFrom(input)
        const found = appriseDestination(next, (await apprise.stored()).value)
        const [enabled, confirmation] = confirmed(next.enabled, found, by)
        return {
          summary: next.targets.length > 0 || next.serverUrl !== '' ? 'Apprise settings' : '',
          ...confirmation,
          queries: [apprise.writing({ ...next, enabled })],
        }
      },
    }),
    part({
      key: 'webhooks',
      schema: z.array(Webhook),
      older: olderWebhooks,
      read: async () => [...(await webhooks.stored()).value],
      async plan(list, by) {
        refuseWrongList(list)
        const { value: here } = await webhooks.stored()
        const destinations: Destination[] = []
        const next = list.map((webhook) => {
          const found = webhookDestination(webhook, here)
          if (found) destinations.push(found)
          return found && !by.confirmsDestinations ? { ...webhook, enabled: false } : webhook
        })
        return {
          summary: count(list.length, 'webhook'),
          notes: waitingNotes(destinations, by),
          changes: { destinations },
          queries: [webhooks.writing(next)],
        }
      },
    }),
    part({
      key: 'outbound',
      schema: OutboundConfig,
      read: async () => (await outbound.stored()).value,
      async plan(value, by) {
        const here = (await outbound.stored()).value.allowedHosts.map(plainEntry)
        // a number, an escape or a letter of another script may stand for a host that nobody would confirm
        const hosts = [...new Set(value.allowedHosts.map(plainEntry))]
        const added = hosts.filter((host) => !here.includes(host))
        const leftOut = by.confirmsDestinations ? [] : added
        const allowedHosts = hosts.filter((host) => !leftOut.includes(host))
        return {
          summary: count(allowedHosts.length, 'allowed host'),
          notes: leftOut.length > 0 ? [leftOutNote(leftOut)] : [],
          changes: { allowedHosts: added },
          queries: [outbound.writing({ ...value, allowedHosts })],
        }
      },
    }),
  ]
}

/** Whether the channel sends after the import, and what the import reports about it. */
function confirmed(
  enabled: boolean,
  found: Destination | undefined,
  by: Importer,
): [enabled: boolean, reported: Pick<Plan, 'notes' | 'changes'>] {
  const destinations = found ? [found] : []
  return [
    enabled && (!found || by.confirmsDestinations === true),
    { notes: waitingNotes(destinations, by), changes: { destinations } },
  ]
}

function waitingNotes(destinations: readonly Destination[], by: Importer): string[] {
  if (destinations.length === 0 || by.confirmsDestinations) return []
  const names = listed(destinations.map(({ name }) => name))
  return [
    `New destinations were imported disabled: ${names}. Check and enable them under Alerts, Notifications.`,
  ]
}

const leftOutNote = (hosts: readonly string[]) =>
  `New allowed hosts were left out: ${listed(hosts)}. Check and add them under Alerts, Notifications.`

/** A channel of the file that would send where none of this installation sends; undefined when there is none. */
function emailDestination(next: EmailSettings, here: EmailSettings): Destination | undefined {
  const placeOf = ({ server, port, tls, startTLS, username, from, to, replyTo }: EmailSettings) =>
    JSON.stringify([server.toLowerCase(), port, tls, startTLS, username, from, [...to].sort(), replyTo])
  if (!next.enabled || (here.enabled && placeOf(next) === placeOf(here))) return undefined
  const recipients = next.to.length > 0 ? listed(next.to) : `"${next.from}"`
  return {
    kind: 'email',
    name: 'Email',
    goesTo: `${recipients} through ${plainEntry(next.server)}:${next.port}`,
  }
}

function appriseDestination(next: AppriseSettings, here: AppriseSettings): Destination | undefined {
  const placeOf = ({ mode, serverUrl, configKey, targets, apiKeyHeader, skipTlsVerify }: AppriseSettings) =>
    JSON.stringify([mode, serverUrl, configKey, [...targets].sort(), apiKeyHeader, skipTlsVerify])
  const isSame = placeOf(next) === placeOf(here) && next.apiKey.reveal() === here.apiKey.reveal()
  if (!next.enabled || (here.enabled && isSame)) return undefined
  const targets = next.targets.map(maskedTarget).slice(0, 10).join(', ')
  const server = next.mode === 'http' ? ` through ${shownUrl(next.serverUrl)}` : ''
  return { kind: 'apprise', name: 'Apprise', goesTo: `${targets || next.configKey}${server}` }
}

/** Headers, fields and the template say whom a service passes a message on to, as its address does. */
function webhookDestination(webhook: Webhook, here: readonly Webhook[]): Destination | undefined {
  const placeOf = ({ id: _id, name: _name, enabled: _enabled, ...place }: Webhook) => place
  const isHere = here.some((one) => one.enabled && isDeepStrictEqual(placeOf(one), placeOf(webhook)))
  if (!webhook.enabled || isHere) return undefined
  return { kind: 'webhook', name: webhook.name, goesTo: shownUrl(webhook.url) }
}

/** A letter of another script looks like the host that one knows. */
const shownUrl = (url: string): string => maskedUrl(withPlainHost(url))

/** An import obeys the limits of the page. */
function refuseWrongList(list: readonly Webhook[]): void {
  const { webhooks: most } = webhookLimits
  if (list.length > most)
    throw invalidFile('webhooks', `There are ${list.length} of them; the maximum is ${most}.`)
  const ids = new Set<string>()
  for (const [index, { id }] of list.entries()) {
    if (ids.has(id)) throw invalidFile(`webhooks[${index}]`, 'Its id is that of another webhook.')
    ids.add(id)
  }
}
