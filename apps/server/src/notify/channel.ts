import type {
  Alert,
  AppriseConfig,
  EmailConfig,
  EmailProvider,
  NoticeKind,
  Webhook,
  WebhookTemplate,
} from '@pulse/contract'
import type { Secret } from '@pulse/domain'

/** What a way out is given to send, and what it says became of it. */

export interface NoticeAlert {
  alert: Alert
  /** RFC 3339, of what is over */
  resolvedAt?: string
}

export interface Notice {
  /** the same in every attempt: receivers drop copies by it */
  eventId: string
  kind: NoticeKind
  /** RFC 3339, when it was made */
  at: string
  /** at least one */
  alerts: readonly NoticeAlert[]
  /** alerts of the same sources that a later message names */
  left?: readonly { name: string; isCritical: boolean; count: number }[]
  /** of times that people read */
  timezone?: string
  /** where the pages are found, if that is known */
  publicUrl?: string
}

/** `response`: the beginning of what came back, without secrets. `bytes`: of what was sent. */
export type Outcome =
  | {
      delivered: true
      status?: number
      response?: string
      bytes: number
      /** how many of its alerts it names, from the most severe; absent: all */
      named?: number
    }
  | {
      delivered: false
      status?: number
      response?: string
      bytes: number
      /** a sentence for people: what happened, to what, what to do; without secrets */
      reason: string
      /** `never`: it would fail again as it is */
      retry: 'never' | 'later'
      /** as the other side asked for, instead of our own pause */
      retryAfterMs?: number
    }

/** Answers; never throws for what the other side does. Gives up when the signal says so. */
export type Channel<Settings> = (settings: Settings, notice: Notice, signal: AbortSignal) => Promise<Outcome>

/** Settings as they are in force, with what is secret in them. */
export type EmailSettings = Omit<EmailConfig, 'password' | 'hasPassword'> & { password: Secret }
export type AppriseSettings = Omit<AppriseConfig, 'apiKey' | 'hasApiKey'> & { apiKey: Secret }
export type WebhookSettings = Webhook

/** What speaks against settings, by field as the contract names them; empty when nothing does. */
export type Problems = Record<string, string>

/** One way out. */
export interface Way<Settings> {
  send: Channel<Settings>
  /** Before they are stored. Nothing is called. */
  problems(settings: Settings): Problems
}

/** Every way out there is; a new one is an entry more. */
export interface Channels {
  email: Way<EmailSettings>
  webhook: Way<WebhookSettings>
  apprise: Way<AppriseSettings>
  emailProviders: readonly EmailProvider[]
  webhookTemplates: readonly WebhookTemplate[]
}
