import type { Webhook, WebhookTemplate } from '@pulse/contract'
import type { Capacity as ChannelCapacity } from '../dispatch.ts'
import { listed, type Message, mostLines, type Tone } from '../message.ts'

export type Payload = string | Readonly<Record<string, unknown>>

/** One receiver of webhooks: its name, its address and its payload. */
export interface WebhookService {
  /** shown in the form as the start of a custom template */
  template: WebhookTemplate
  /** problems by field of the contract */
  problems?(webhook: Webhook): Record<string, string>
  /** further headers of the request */
  headers?(message: Message): Record<string, string>
  /** Alerts that one message can name. */
  capacity: ChannelCapacity
  /** Each alert is a request of its own. */
  isPerAlert?: true
  /** Number of its alerts that a message names, from the first. */
  names(message: Message): number
  payload(message: Message, webhook: Webhook): Payload
  /** Completes the payload that a user's template produced. */
  finished?(payload: Record<string, unknown>, message: Message, webhook: Webhook): Payload
  /** The address to call, without the parts that go into the payload. */
  address?(url: string): string
  /** The error in an answer that looks like success. */
  refusal?(body: string): string | undefined
}

/** Capacity of services that list alerts as lines of text. */
export const linesOfText: ChannelCapacity = { firing: mostLines, resolved: mostLines }

/** How a service writes a list of alerts. */
export const listing = (escape: (text: string) => string, max: number) => (message: Message) =>
  listed(message, escape, max)

export const byTone = <T>(message: Message, values: Readonly<Record<Tone, T>>): T => values[message.tone]

export const jsonHeaders = { 'Content-Type': 'application/json' }

/** Omits an empty value. */
export const present = (name: string, value: unknown): Record<string, unknown> =>
  value === undefined || value === '' ? {} : { [name]: value }

/** Escapes Markdown characters with a backslash. */
export const escapedMarkdown = (text: string): string => text.replace(/[\\`*_~|<>[\]()#]/g, '\\$&')
