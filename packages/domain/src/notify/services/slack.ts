import type { Message } from '../message.ts'
import { clipped } from '../text.ts'
import { jsonHeaders, linesOfText, listing, type WebhookService } from './service.ts'

export const slack: WebhookService = {
  template: {
    service: 'slack',
    name: 'Slack',
    urlPattern: 'https://hooks.slack.com/services/{path}',
    method: 'POST',
    headers: jsonHeaders,
    instructions:
      'Make an app for your workspace at api.slack.com/apps, switch Incoming Webhooks on and add one for the channel. Copy its URL and enter it here.',
    fields: [],
    payloadTemplate: `{
  "text": "{{.Level | title}}: {{.ResourceName}}",
  "blocks": [
    { "type": "header", "text": { "type": "plain_text", "text": "{{.Level | title}}: {{.Type}}" } },
    { "type": "section", "text": { "type": "plain_text", "text": "{{.Message}}" } },
    { "type": "section", "fields": [
      { "type": "plain_text", "text": "Resource: {{.ResourceName}}" },
      { "type": "plain_text", "text": "Node: {{or .Node "-"}}" },
      { "type": "plain_text", "text": "Type: {{.Type}}" },
      { "type": "plain_text", "text": "Value: {{or .ValueFormatted "-"}}" },
      { "type": "plain_text", "text": "Threshold: {{or .ThresholdFormatted "-"}}" },
      { "type": "plain_text", "text": "Duration: {{.Duration}}" }
    ] }
  ]
}`,
  },
  capacity: linesOfText,
  names: (message) => list(message).names,
  payload: (message) => ({ text: escaped(message.title), blocks: blocks(message) }),
}

function blocks(message: Message) {
  const { first, title, others } = message
  const fields = first.facts.map(([name, value]) => mrkdwn(`*${name}*\n${escaped(value)}`))
  return [
    { type: 'header', text: { type: 'plain_text', text: clipped(title, 150) } },
    { type: 'section', text: mrkdwn(list(message).text) },
    ...(others.length === 0 ? [{ type: 'section', fields }] : []),
    { type: 'context', elements: [mrkdwn(footer(message))] },
  ]
}

const mrkdwn = (text: string) => ({ type: 'mrkdwn', text })

function footer({ notice, first }: Message): string {
  const link =
    notice.publicUrl && /^https?:\/\/[^\s<>|]+$/.test(notice.publicUrl) && `<${notice.publicUrl}|Open Pulse>`
  return [link, `Alert ${escaped(clipped(first.alert.id, 300))}`].filter(Boolean).join(' · ')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string): string => text.replace(/[&<>]/g, (character) => entities[character]!)
const list = listing(escaped, 2900)
