import { OutboundConfig, Webhook } from '@pulse/contract'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import type { SettingsStore } from '../../db/settings.ts'
import type { LiveArea } from '../../export-part.ts'
import { createMutex } from '../../timing/concurrency.ts'
import { createSignal, type OnSignal } from '../../signal.ts'
import { StartupError } from '../../startup-error.ts'
import type { AppriseSettings, EmailSettings } from '../channel.ts'
import { appriseFrom, firstApprise, storedApprise } from './apprise.ts'
import { emailFrom, firstEmail, storedEmail } from './email.ts'

export interface NotificationConfig {
  email: EmailSettings
  apprise: AppriseSettings
  webhooks: readonly Webhook[]
  outbound: OutboundConfig
}
type Part = keyof NotificationConfig

/** A document of its own for each: how it is kept, read and begun. */
export const documents: {
  [P in Part]: {
    key: string
    write: (value: NotificationConfig[P]) => string
    read: (stored: unknown) => NotificationConfig[P]
    first: NotificationConfig[P]
  }
} = {
  email: { key: 'notifications.email', write: storedEmail, read: emailFrom, first: firstEmail },
  apprise: { key: 'notifications.apprise', write: storedApprise, read: appriseFrom, first: firstApprise },
  webhooks: {
    key: 'notifications.webhooks',
    write: (list) => JSON.stringify(list),
    read: (stored) => z.array(Webhook).parse(stored),
    first: [],
  },
  outbound: {
    key: 'notifications.outbound',
    write: (value) => JSON.stringify(value),
    read: (stored) => OutboundConfig.parse(stored),
    first: { allowedHosts: [] },
  },
}
const parts = Object.keys(documents) as Part[]

/** Where alerts are sent, as it is in force. */
export interface NotificationSettings extends LiveArea {
  current(): NotificationConfig
  /** Stored before it counts; whoever throws changes nothing. */
  change<P extends Part>(
    part: P,
    to: (now: NotificationConfig[P]) => NotificationConfig[P],
  ): Promise<NotificationConfig[P]>
  onChange: OnSignal
  start(): Promise<void>
}

export interface NotificationSettingsEdges {
  store: Pick<SettingsStore, 'read' | 'write'>
  log: Logger
  onWrite: () => void
}

export function createNotificationSettings({
  store,
  log,
  onWrite,
}: NotificationSettingsEdges): NotificationSettings {
  const changed = createSignal()
  const inTurn = createMutex()
  let current = Object.fromEntries(
    parts.map((part) => [part, documents[part].first]),
  ) as unknown as NotificationConfig

  async function readPart<P extends Part>(part: P): Promise<NotificationConfig[P]> {
    const { key, read, first } = documents[part]
    const text = await store.read(key)
    try {
      return text === undefined ? first : read(JSON.parse(text))
    } catch (cause) {
      throw new StartupError(
        `The stored settings of notifications (${part}) cannot be read.`,
        'Restore the data folder from a backup, or start the version of Pulse that wrote them.',
        { cause },
      )
    }
  }

  async function reload() {
    const [email, apprise, webhooks, outbound] = await Promise.all([
      readPart('email'),
      readPart('apprise'),
      readPart('webhooks'),
      readPart('outbound'),
    ])
    current = { email, apprise, webhooks, outbound }
    changed.tell()
  }

  return {
    current: () => current,
    change: (part, to) =>
      inTurn(async () => {
        const next = to(current[part])
        await store.write(documents[part].key, documents[part].write(next))
        onWrite()
        log.info({ part }, 'the settings of notifications were changed')
        current = { ...current, [part]: next }
        changed.tell()
        return next
      }),
    onChange: changed.on,
    inTurn,
    reload,
    start: () => inTurn(reload),
  }
}
