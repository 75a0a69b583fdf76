import type { Webhook, WebhookTemplate } from '@pulse/contract'
import type { Capacity as ChannelCapacity } from '../dispatch.ts'
import { listed, type Message, mostLines, type Tone } from '../message.ts'

export type Payload = string | Readonly<Record<string, unknown>>

/** One receiver of webhooks: what it is called, how it is addressed, what it is told. */
export interface WebhookService {
  /** what pages show and start from */
  template: WebhookTemplate
  /** what cannot work, by field of the contract */
  problems?(webhook: Webhook): Record<string, string>
  /** of the request, besides those of the template */
  headers?(message: Message): Record<string, string>
  /** Alerts that one message can name. */
  capacity: ChannelCapacity
  /** Each alert is a request of its own. */
  isPerAlert?: true
  /** How many of its alerts a message names, from the first. */
  names(message: Message): number
  payload(message: Message, webhook: Webhook): Payload
  /** What a template of the user's own has made, as the service needs it. */
  finished?(payload: Record<string, unknown>, message: Message, webhook: Webhook): Payload
  /** The address that is called; where something of it belongs to the payload, it is taken out. */
  address?(url: string): string
  /** Whether an answer that looks like success is none. */
  refusal?(body: string): string | undefined
}

/** Of those that list alerts as lines of text. */
export const linesOfText: ChannelCapacity = { firing: mostLines, resolved: mostLines }

/** How a service writes a list of alerts. */
export const listing = (escape: (text: string) => string, max: number) => (message: Message) =>
  listed(message, escape, max)

export const byTone = <T>(message: Message, values: Readonly<Record<Tone, T>>): T => values[message.tone]

export const jsonHeaders = { 'Content-Type': 'application/json' }

/** With its value, where there is one. */
export const present = (name: string, value: unknown): Record<string, unknown> =>
  value === undefined || value === '' ? {} : { [name]: value }

/** Characters of Markdown get a backslash. */
export const escapedMarkdown = (text: string): string => text.replace(/[\\`*_~|<>[\]()#]/g, '\\$&')
