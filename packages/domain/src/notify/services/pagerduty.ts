import type { Webhook } from '@pulse/contract'
import type { Message } from '../message.ts'
import { clipped, hasFigure, oneLine, thresholdText, valueText, nodeText } from '../text.ts'
import { jsonHeaders, type Payload, present, type WebhookService } from './service.ts'

/** Per message; each alert is a separate incident. */
const maxEvents = 25
const maxEnds = 100

export const pagerduty: WebhookService = {
  template: {
    service: 'pagerduty',
    name: 'PagerDuty',
    urlPattern: 'https://events.pagerduty.com/v2/enqueue',
    method: 'POST',
    headers: { ...jsonHeaders, Accept: 'application/vnd.pagerduty+json;version=2' },
    instructions:
      'Add the integration Events API v2 to a service in PagerDuty and enter its integration key as routing key. An incident ends when its alert does.',
    fields: [
      {
        name: 'routing_key',
        label: 'Routing key',
        required: true,
        secret: true,
        placeholder: '32 characters',
      },
    ],
    payloadTemplate: `{
  "routing_key": "{{.CustomFields.routing_key}}",
  "event_action": "{{if eq .Event "resolved"}}resolve{{else}}trigger{{end}}",
  "dedup_key": "{{.ID}}",
  "payload": {
    "summary": "{{.Message}}",
    "timestamp": "{{.Timestamp}}",
    "severity": "{{if eq .Level "critical"}}critical{{else if eq .Level "warning"}}warning{{else}}info{{end}}",
    "source": "{{or .Node .ResourceName}}",
    "component": "{{.ResourceName}}",
    "group": "{{.Type}}",
    "class": "{{.Type}}",
    "custom_details": {
      "alert_id": "{{.ID}}",
      "resource_type": "{{.ResourceType}}",
      "current_value": "{{.ValueFormatted}}",
      "threshold": "{{.ThresholdFormatted}}",
      "duration": "{{.Duration}}"
    }
  },
  "client": "Pulse"{{if .Instance}},
  "client_url": "{{.Instance}}"{{end}}
}`,
  },
  problems: (webhook) =>
    routingKey(webhook)
      ? {}
      : { 'customFields.routing_key': 'Enter the integration key of the service in PagerDuty.' },
  capacity: { firing: maxEvents, resolved: maxEnds },
  isPerAlert: true,
  names: () => 1,
  payload: event,
  // a resolved message must never open an incident, even with a wrong template
  finished: (payload, { notice }, webhook) => ({
    ...payload,
    routing_key: payload['routing_key'] || routingKey(webhook),
    ...(notice.kind === 'resolved' && { event_action: 'resolve' }),
  }),
}

/** From the custom field, or from the header of that name. */
export const routingKey = ({ customFields, headers }: Webhook): string =>
  customFields['routing_key'] ||
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'routing_key')?.[1] ||
  ''

/** The same for all events of an alert. */
const dedupKey = (id: string): string => clipped(id, 255)

function event(message: Message, webhook: Webhook): Payload {
  const { notice, first, tone, title } = message
  const { alert } = first
  const head = { routing_key: routingKey(webhook), dedup_key: dedupKey(alert.id) }
  if (notice.kind === 'resolved') return { ...head, event_action: 'resolve' }
  const resource = clipped(oneLine(alert.resourceName), 255)
  return {
    ...head,
    event_action: 'trigger',
    payload: {
      summary: clipped(`${title} – ${oneLine(alert.message)}`, 1024),
      timestamp: notice.at,
      severity: tone === 'critical' ? 'critical' : 'warning',
      source: clipped(oneLine(nodeText(alert)), 255) || resource || 'Pulse',
      ...present('component', resource),
      group: clipped(alert.type, 255),
      class: clipped(alert.type, 255),
      custom_details: {
        alert_id: alert.id,
        ...present('resource_type', alert.metadata?.['resourceType']),
        ...(hasFigure(alert) && { current_value: valueText(alert), threshold: thresholdText(alert) }),
        duration: first.duration,
        ...present('instance', alert.instance),
      },
    },
    client: 'Pulse',
    ...(notice.publicUrl && {
      client_url: notice.publicUrl,
      links: [{ href: notice.publicUrl, text: 'Open Pulse' }],
    }),
  }
}
