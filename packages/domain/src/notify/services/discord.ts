import type { Message } from '../message.ts'
import { clipped } from '../text.ts'
import {
  byTone,
  escapedMarkdown,
  jsonHeaders,
  linesOfText,
  listing,
  present,
  type WebhookService,
} from './service.ts'

const colors = { critical: 15_158_332, warning: 15_105_570, resolved: 3_066_993 }

export const discord: WebhookService = {
  template: {
    service: 'discord',
    name: 'Discord',
    urlPattern: 'https://discord.com/api/webhooks/{webhook_id}/{webhook_token}',
    method: 'POST',
    headers: jsonHeaders,
    instructions:
      'In Discord open the settings of the channel, then Integrations, Webhooks, New Webhook. Copy its URL and enter it here.',
    fields: [],
    payloadTemplate: `{
  "username": "Pulse",
  "allowed_mentions": { "parse": [] },
  "embeds": [{
    "title": "{{.Level | title}}: {{.Type}} on {{.ResourceName}}",
    "description": "{{.Message}}",
    "color": {{if eq .Level "critical"}}15158332{{else if eq .Level "warning"}}15105570{{else if eq .Level "resolved"}}3066993{{else}}3447003{{end}},
    "fields": [
      { "name": "Resource", "value": "{{.ResourceName}}", "inline": true },
      { "name": "Node", "value": "{{or .Node "-"}}", "inline": true },
      { "name": "Type", "value": "{{.Type}}", "inline": true },
      { "name": "Value", "value": "{{or .ValueFormatted "-"}}", "inline": true },
      { "name": "Threshold", "value": "{{or .ThresholdFormatted "-"}}", "inline": true },
      { "name": "Duration", "value": "{{.Duration}}", "inline": true }
    ],
    "timestamp": "{{.Timestamp}}",
    "footer": { "text": "Pulse" }
  }]
}`,
  },
  capacity: linesOfText,
  names: (message) => list(message).names,
  payload: (message) => ({ username: 'Pulse', allowed_mentions: { parse: [] }, embeds: [embed(message)] }),
}

const list = listing(escapedMarkdown, 3000)

function embed(message: Message) {
  const { notice, first, others, title } = message
  return {
    title: clipped(escapedMarkdown(title), 256),
    description: list(message).text,
    color: byTone(message, colors),
    ...present('url', notice.publicUrl),
    // several alerts are in the list already
    ...(others.length === 0 && {
      fields: first.facts.map(([name, value]) => ({
        name,
        value: clipped(escapedMarkdown(value), 1024),
        inline: true,
      })),
    }),
    timestamp: notice.at,
    footer: { text: 'Pulse' },
  }
}
