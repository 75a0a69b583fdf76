import type { Webhook } from '@pulse/contract'
import type { Message } from '../message.ts'
import { byTone, jsonHeaders, linesOfText, listing, type WebhookService } from './service.ts'

const signs = { critical: '🚨', warning: '⚠️', resolved: '✅' }

export const telegram: WebhookService = {
  template: {
    service: 'telegram',
    name: 'Telegram',
    urlPattern: 'https://api.telegram.org/bot{bot_token}/sendMessage?chat_id={chat_id}',
    method: 'POST',
    headers: jsonHeaders,
    instructions:
      'Make a bot with @BotFather and add it to the chat. Enter the address with the token of the bot and the number of the chat, which is negative for groups.',
    fields: [],
    payloadTemplate: `{
  "chat_id": "{{.ChatID}}",
  "text": "{{.Level | upper}}: {{.Message}}\\n{{.ResourceName}}{{if .Node}} on {{.Node}}{{end}}\\n{{if .ValueFormatted}}Value: {{.ValueFormatted}} (threshold {{.ThresholdFormatted}})\\n{{end}}Duration: {{.Duration}}{{if .Instance}}\\n{{.Instance}}{{end}}",
  "disable_web_page_preview": true
}`,
  },
  problems: ({ url }) =>
    chatIdOf(url) === undefined
      ? { url: 'The address has no chat: end it with ?chat_id= and the number of the chat.' }
      : {},
  address: (url) => withoutParameter(url, 'chat_id'),
  capacity: linesOfText,
  names: (message) => list(message).names,
  payload: (message, webhook) => ({
    chat_id: chatNumber(webhook),
    text: textOf(message),
    parse_mode: 'Markdown',
    disable_web_page_preview: true,
  }),
  finished: (payload, _message, webhook) => ({ ...payload, chat_id: chatNumber(webhook) }),
}

function textOf(message: Message): string {
  const { notice, title, first, others } = message
  const facts = others.length > 0 ? [] : first.facts.map(([name, value]) => `${name}: ${escaped(value)}`)
  const lines = [
    `${byTone(message, signs)} *${insideBold(title)}*`,
    '',
    list(message).text,
    ...(facts.length > 0 ? ['', ...facts] : []),
    ...(notice.publicUrl ? ['', escaped(notice.publicUrl)] : []),
  ]
  return lines.join('\n')
}

/** Telegram's legacy Markdown escapes these four, and has no backslash within an entity. */
const escaped = (text: string): string => text.replace(/[_*`[]/g, '\\$&')
const list = listing(escaped, 2800)
const insideBold = (text: string): string => text.replace(/[*\\]/g, ' ')

/** An integer; negative for groups. */
export function chatIdOf(url: string): string | undefined {
  const parameter = parametersOf(url).find((one) => one.startsWith('chat_id='))
  const id = parameter?.slice('chat_id='.length).replace(/^%2D/i, '-')
  return id !== undefined && /^-?\d{1,20}$/.test(id) ? id : undefined
}

/** Telegram ids are safe integers. */
const chatNumber = ({ url }: Webhook): number => Number(chatIdOf(url))

const parametersOf = (url: string): string[] => {
  const query = url.split('#')[0]!.split('?').slice(1).join('?')
  return query === '' ? [] : query.split('&')
}

function withoutParameter(url: string, name: string): string {
  const left = parametersOf(url).filter((one) => !one.startsWith(`${name}=`))
  const endpoint = url.split('#')[0]!.split('?')[0]!
  return left.length === 0 ? endpoint : `${endpoint}?${left.join('&')}`
}
