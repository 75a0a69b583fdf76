import type { Message } from '../message.ts'
import { clipped } from '../text.ts'
import { byTone, escapedMarkdown, jsonHeaders, linesOfText, listing, type WebhookService } from './service.ts'

const list = listing(escapedMarkdown, 4000)

const instructions =
  'In Teams open the menu of the channel, then Workflows (or Connectors), and add an incoming webhook. Copy its URL and enter it here.'
const urlPattern = 'https://{tenant}.webhook.office.com/webhookb2/{path}'

/** Teams answers 200 even if it could not deliver the message. */
const refusal = (body: string): string | undefined =>
  /failed with error|returned HTTP error (\d+)/i.test(body)
    ? 'Teams did not pass it on to the channel'
    : undefined

export const teams: WebhookService = {
  template: {
    service: 'teams',
    name: 'Microsoft Teams',
    urlPattern,
    method: 'POST',
    headers: jsonHeaders,
    instructions,
    fields: [],
    payloadTemplate: `{
  "@type": "MessageCard",
  "@context": "https://schema.org/extensions",
  "themeColor": "{{if eq .Level "critical"}}FF0000{{else if eq .Level "warning"}}FFA500{{else}}00FF00{{end}}",
  "summary": "{{.Level | title}}: {{.ResourceName}}",
  "sections": [{
    "activityTitle": "{{.Level | title}}: {{.Type}}",
    "activitySubtitle": "{{.Message}}",
    "facts": [
      { "name": "Resource", "value": "{{.ResourceName}}" },
      { "name": "Node", "value": "{{or .Node "-"}}" },
      { "name": "Value", "value": "{{or .ValueFormatted "-"}}" },
      { "name": "Threshold", "value": "{{or .ThresholdFormatted "-"}}" },
      { "name": "Duration", "value": "{{.Duration}}" }
    ],
    "markdown": false
  }]
}`,
  },
  refusal,
  capacity: linesOfText,
  names: (message) => list(message).names,
  payload: (message) => ({
    '@type': 'MessageCard',
    '@context': 'https://schema.org/extensions',
    themeColor: byTone(message, { critical: 'FF0000', warning: 'FFA500', resolved: '00FF00' }),
    summary: clipped(message.title, 300),
    sections: [
      {
        activityTitle: escapedMarkdown(message.title),
        activitySubtitle: list(message).text.replaceAll('\n', '\n\n'),
        facts: factsOf(message).map(([name, value]) => ({ name, value: escapedMarkdown(value) })),
        markdown: true,
      },
    ],
    ...(message.notice.publicUrl && {
      potentialAction: [
        {
          '@type': 'OpenUri',
          name: 'Open Pulse',
          targets: [{ os: 'default', uri: message.notice.publicUrl }],
        },
      ],
    }),
  }),
}

export const teamsAdaptive: WebhookService = {
  template: {
    service: 'teams-adaptive',
    name: 'Microsoft Teams (Adaptive Card)',
    urlPattern,
    method: 'POST',
    headers: jsonHeaders,
    instructions,
    fields: [],
    payloadTemplate: `{
  "type": "message",
  "attachments": [{
    "contentType": "application/vnd.microsoft.card.adaptive",
    "content": {
      "type": "AdaptiveCard",
      "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
      "version": "1.4",
      "body": [
        { "type": "TextBlock", "size": "Large", "weight": "Bolder", "wrap": true, "text": "{{.Level | title}}: {{.Type}}",
          "color": "{{if eq .Level "critical"}}Attention{{else if eq .Level "warning"}}Warning{{else}}Good{{end}}" },
        { "type": "TextBlock", "wrap": true, "text": "{{.Message}}" },
        { "type": "FactSet", "facts": [
          { "title": "Resource", "value": "{{.ResourceName}}" },
          { "title": "Value", "value": "{{or .ValueFormatted "-"}}" },
          { "title": "Threshold", "value": "{{or .ThresholdFormatted "-"}}" },
          { "title": "Duration", "value": "{{.Duration}}" }
        ] }
      ]
    }
  }]
}`,
  },
  refusal,
  capacity: linesOfText,
  names: (message) => list(message).names,
  payload: (message) => ({
    type: 'message',
    attachments: [
      { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card(message) },
    ],
  }),
}

function card(message: Message) {
  const { publicUrl } = message.notice
  return {
    type: 'AdaptiveCard',
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    version: '1.4',
    body: [
      {
        type: 'TextBlock',
        size: 'Large',
        weight: 'Bolder',
        wrap: true,
        text: escapedMarkdown(message.title),
        color: byTone(message, { critical: 'Attention', warning: 'Warning', resolved: 'Good' }),
      },
      {
        type: 'TextBlock',
        wrap: true,
        text: list(message).text.replaceAll('\n', '\n\n'),
      },
      {
        type: 'FactSet',
        facts: factsOf(message).map(([title, value]) => ({ title, value: escapedMarkdown(value) })),
      },
    ],
    ...(publicUrl && { actions: [{ type: 'Action.OpenUrl', title: 'Open Pulse', url: publicUrl }] }),
  }
}

const factsOf = ({ others, first, notice }: Message): readonly (readonly [string, string])[] =>
  others.length === 0 ? first.facts : [['Alerts', String(notice.alerts.length)]]
