import { mostSevereFirst } from '../batch.ts'
import { jsonHeaders, type WebhookService } from './service.ts'

const maxAlerts = 500

/** For custom receivers: all fields, in the same shape for one alert or many. */
export const generic: WebhookService = {
  template: {
    service: 'generic',
    name: 'Generic Webhook',
    urlPattern: '',
    method: 'POST',
    headers: jsonHeaders,
    instructions:
      'Enter the address of your receiver. It gets JSON with the alerts; a template can give it another form. The header X-Pulse-Event-Id is the same whenever a message is sent again.',
    fields: [],
    payloadTemplate: `{
  "alert": {
    "id": "{{.ID}}",
    "level": "{{.Level}}",
    "type": "{{.Type}}",
    "resource_name": "{{.ResourceName}}",
    "node": "{{.Node}}",
    "message": "{{.Message}}",
    "value": {{.Value}},
    "threshold": {{.Threshold}},
    "start_time": "{{.StartTime}}",
    "duration": "{{.Duration}}"
  },
  "event": "{{.Event}}",
  "timestamp": "{{.Timestamp}}",
  "source": "pulse"
}`,
  },
  capacity: { firing: maxAlerts, resolved: maxAlerts },
  names: ({ notice }) => Math.min(maxAlerts, notice.alerts.length),
  payload: ({ notice, timestamp, left: hosts }) => {
    const left = hosts.reduce((sum, { count }) => sum + count, 0)
    return {
      event: notice.kind,
      eventId: notice.eventId,
      timestamp,
      source: 'pulse',
      count: notice.alerts.length,
      ...(left > 0 && { left }),
      grouped: notice.alerts.length > 1,
      ...(notice.publicUrl && { publicUrl: notice.publicUrl }),
      alerts: mostSevereFirst(notice.alerts, ({ alert }) => alert)
        .slice(0, maxAlerts)
        .map(({ alert, resolvedAt }) => ({ ...alert, ...(resolvedAt && { resolvedAt }) })),
    }
  },
}
