import { listed, type Message } from '../message.ts'
import { clipped, hasFigure, thresholdText, valueText } from '../text.ts'
import {
  byTone,
  escapedMarkdown,
  jsonHeaders,
  linesOfText,
  listing,
  present,
  type WebhookService,
} from './service.ts'

const pushoverMax = 1000
/** characters of up to three bytes each */
const ntfyMax = 1300

export const pushover: WebhookService = {
  template: {
    service: 'pushover',
    name: 'Pushover',
    urlPattern: 'https://api.pushover.net/1/messages.json',
    method: 'POST',
    headers: jsonHeaders,
    instructions:
      'Make an application at pushover.net and enter its API token, and your user key (or that of a group). A device is optional.',
    fields: [
      {
        name: 'app_token',
        label: 'Application token',
        required: true,
        secret: true,
        placeholder: '30 characters',
      },
      { name: 'user_token', label: 'User key', required: true, secret: true, placeholder: '30 characters' },
      { name: 'device', label: 'Device', required: false, secret: false },
    ],
    payloadTemplate: `{
  "token": "{{.CustomFields.app_token}}",
  "user": "{{.CustomFields.user_token}}",
  "title": "{{.Level | title}}: {{.ResourceName}}",
  "message": "{{.Message}}",
  "priority": {{if eq .Level "critical"}}1{{else if eq .Level "warning"}}0{{else}}-1{{end}},
  "sound": "{{if eq .Level "critical"}}siren{{else if eq .Level "warning"}}tugboat{{else}}pushover{{end}}"
}`,
  },
  problems({ customFields }) {
    const problems: Record<string, string> = {}
    if (!customFields['app_token'])
      problems['customFields.app_token'] = 'Enter the API token of the application at Pushover.'
    if (!customFields['user_token'])
      problems['customFields.user_token'] = 'Enter the user or group key of Pushover.'
    return problems
  },
  capacity: linesOfText,
  names: (message) => withFacts(message, pushoverMax).names,
  payload: (message, { customFields }) => ({
    token: customFields['app_token'] ?? '',
    user: customFields['user_token'] ?? '',
    title: clipped(message.title, 250),
    message: withFacts(message, pushoverMax).text,
    priority: byTone(message, { critical: 1, warning: 0, resolved: -1 }),
    sound: byTone(message, { critical: 'siren', warning: 'tugboat', resolved: 'pushover' }),
    ...present('device', customFields['device']),
    timestamp: message.timestamp,
    ...(message.notice.publicUrl && { url: message.notice.publicUrl, url_title: 'Open Pulse' }),
  }),
}

export const gotify: WebhookService = {
  template: {
    service: 'gotify',
    name: 'Gotify',
    urlPattern: 'https://{server}/message?token={app_token}',
    method: 'POST',
    headers: jsonHeaders,
    instructions: 'Make an application in Gotify and enter the address of your server with its token.',
    fields: [],
    payloadTemplate: `{
  "title": "{{.Level | title}}: {{.ResourceName}}",
  "message": "{{.Message}}",
  "priority": {{if eq .Level "critical"}}10{{else if eq .Level "warning"}}5{{else}}2{{end}}
}`,
  },
  capacity: linesOfText,
  names: (message) => markdownList(message).names,
  payload: (message) => ({
    title: clipped(message.title, 250),
    message: markdown(message),
    priority: byTone(message, { critical: 10, warning: 5, resolved: 2 }),
    extras: {
      'client::display': { contentType: 'text/markdown' },
      ...(message.notice.publicUrl && {
        'client::notification': { click: { url: message.notice.publicUrl } },
      }),
      'pulse::alert': details(message),
    },
  }),
}

const markdownList = listing(escapedMarkdown, 4000)

function markdown(message: Message): string {
  const facts = message.others.length > 0 ? [] : message.first.facts
  const lines = [markdownList(message).text.replaceAll('\n', '\n\n')]
  return [...lines, ...facts.map(([name, value]) => `**${name}:** ${escapedMarkdown(value)}`)].join('\n\n')
}

function details({ first, notice }: Message) {
  const { alert, duration } = first
  return {
    id: alert.id,
    level: notice.kind === 'resolved' ? 'resolved' : alert.level,
    type: alert.type,
    resource_name: alert.resourceName,
    node: alert.node,
    ...(hasFigure(alert) && { value: valueText(alert), threshold: thresholdText(alert) }),
    duration,
    instance: alert.instance,
  }
}

export const ntfy: WebhookService = {
  template: {
    service: 'ntfy',
    name: 'ntfy',
    urlPattern: 'https://ntfy.sh/{topic}',
    method: 'POST',
    headers: { 'Content-Type': 'text/plain' },
    instructions:
      'Enter the address of ntfy.sh or of your own server with a topic that is hard to guess. A protected topic needs the header Authorization with Bearer and an access token.',
    fields: [],
    payloadTemplate: `{{.Message}}
{{if .ValueFormatted}}Value: {{.ValueFormatted}} (threshold {{.ThresholdFormatted}})
{{end}}Duration: {{.Duration}}`,
  },
  headers: (message) => ({
    Title: headerText(clipped(message.title, 200)),
    Priority: byTone(message, { critical: 'urgent', warning: 'high', resolved: 'default' }),
    Tags: [sign(message), 'pulse', headerText(message.first.alert.type).replace(/[^\w-]/g, '')]
      .filter(Boolean)
      .join(','),
    ...(message.notice.publicUrl &&
      /^[!-~]+$/.test(message.notice.publicUrl) && { Click: message.notice.publicUrl }),
  }),
  capacity: linesOfText,
  names: (message) => withFacts(message, ntfyMax).names,
  payload: (message) => withFacts(message, ntfyMax).text,
}

const sign = (message: Message) =>
  byTone(message, { critical: 'rotating_light', warning: 'warning', resolved: 'white_check_mark' })

/** Headers are ASCII; other text is an encoded word (RFC 2047). */
export function headerText(text: string): string {
  if (/^[ -~]*$/.test(text) && !text.includes('=?')) return text
  const escaped = encodeURIComponent(text.toWellFormed()).replace(
    /[_!'()*~.-]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `=?UTF-8?Q?${escaped.replaceAll('%', '=')}?=`
}

function withFacts(message: Message, max: number): { text: string; names: number } {
  const facts = message.others.length > 0 ? [] : message.first.facts.slice(1)
  const tail = facts.map(([name, value]) => `\n${name}: ${clipped(value, 80)}`).join('')
  const { text, names } = listed(message, (line) => line, max - tail.length)
  return { text: text + tail, names }
}
