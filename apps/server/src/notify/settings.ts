import { type AppriseConfig, type EmailConfig, OutboundConfig, Webhook } from '@pulse/contract'
import * as z from 'zod/mini'
import type { RowCache } from '../row-cache.ts'
import {
  createSettingsDocument,
  type SettingsDefinition,
  type SettingsDocument,
  type SettingsEdges,
} from '../settings-document.ts'
import { createSignal, type OnSignal } from '../signal.ts'
import { createMutex } from '../timing/concurrency.ts'
import type { AppriseSettings, EmailSettings } from './channel.ts'
import { appriseFrom, firstApprise, shownApprise, storedApprise } from './channels/apprise/settings.ts'
import { emailFrom, firstEmail, shownEmail, storedEmail } from './channels/email/settings.ts'
import { shownWebhook } from './channels/webhook/settings.ts'

export interface NotificationConfig {
  email: EmailSettings
  apprise: AppriseSettings
  webhooks: readonly Webhook[]
  outbound: OutboundConfig
}
export type NotificationPart = keyof NotificationConfig

/** As an administrator sees them: secrets are masked. */
interface ShownConfig {
  email: EmailConfig
  apprise: AppriseConfig
  webhooks: readonly Webhook[]
  outbound: OutboundConfig
}

const definitions: { [P in NotificationPart]: SettingsDefinition<NotificationConfig[P], ShownConfig[P]> } = {
  email: {
    key: 'notifications.email',
    name: 'email settings',
    defaults: () => firstEmail,
    parse: emailFrom,
    serialize: storedEmail,
    shown: shownEmail,
    // without its port or its encryption, the password would go elsewhere
    setAside: 'whole',
  },
  apprise: {
    key: 'notifications.apprise',
    name: 'Apprise settings',
    defaults: () => firstApprise,
    parse: appriseFrom,
    serialize: storedApprise,
    shown: shownApprise,
    setAside: 'whole',
  },
  webhooks: {
    key: 'notifications.webhooks',
    name: 'webhooks',
    defaults: () => [],
    parse: (stored) => z.array(Webhook).parse(stored),
    shown: (list) => list.map(shownWebhook),
    // a webhook has no optional fields: one that cannot be read is left out as a whole
    setAside: 'each',
  },
  outbound: {
    key: 'notifications.outbound',
    name: 'allowed hosts of notifications',
    defaults: () => ({ allowedHosts: [] }),
    parse: (stored) => OutboundConfig.parse(stored),
    setAside: 'each',
  },
}
const parts = Object.keys(definitions) as NotificationPart[]

export type NotificationDocuments = {
  [P in NotificationPart]: SettingsDocument<NotificationConfig[P], ShownConfig[P]>
}

/** Where alerts are sent, as it is in force. */
export interface NotificationSettings extends RowCache {
  documents: NotificationDocuments
  current(): NotificationConfig
  /** Stored before it counts; a change that throws changes nothing. */
  change<P extends NotificationPart>(
    part: P,
    to: (now: NotificationConfig[P]) => NotificationConfig[P],
  ): Promise<NotificationConfig[P]>
  onChange: OnSignal
  start(): Promise<void>
}

export function createNotificationSettings(edges: SettingsEdges): NotificationSettings {
  const changed = createSignal()
  const mutex = createMutex()
  const documents: NotificationDocuments = {
    email: createSettingsDocument(definitions.email, edges, mutex),
    apprise: createSettingsDocument(definitions.apprise, edges, mutex),
    webhooks: createSettingsDocument(definitions.webhooks, edges, mutex),
    outbound: createSettingsDocument(definitions.outbound, edges, mutex),
  }
  // all four are reloaded before one of them is signalled
  let isReloading = false
  for (const part of parts)
    documents[part].onChange(() => {
      if (!isReloading) changed.tell()
    })

  async function reload() {
    isReloading = true
    try {
      for (const part of parts) await documents[part].reload()
    } finally {
      isReloading = false
    }
    changed.tell()
  }

  return {
    documents,
    current: () => ({
      email: documents.email.current(),
      apprise: documents.apprise.current(),
      webhooks: documents.webhooks.current(),
      outbound: documents.outbound.current(),
    }),
    async change(part, to) {
      const document: Pick<SettingsDocument<NotificationConfig[typeof part]>, 'change'> = documents[part]
      const next = await document.change(to)
      edges.log.info({ part }, 'notification settings changed')
      return next
    },
    onChange: changed.on,
    tables: ['settings'],
    runExclusive: mutex,
    reload,
    start: () => mutex(reload),
  }
}
