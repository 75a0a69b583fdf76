import type * as calls from '../rest/alerts.ts'
import type { Reference } from './about.ts'
import { anAlert } from './samples.ts'

const missing = ['not_found'] as const
const user = 'admin'
const one = { params: { id: anAlert.id }, body: { user }, errors: missing }
const named = { body: { id: anAlert.id, user }, errors: missing }
const several = {
  body: { alertIds: [anAlert.id], user },
}

export const alerts = {
  getAlertConfig: { summary: 'Read the configuration of alerts', query: {} },
  putAlertConfig: {
    summary: 'Change the configuration of alerts',
    body: { guestDefaults: { cpu: { trigger: 90, clear: 85 } } },
  },
  postAlertsActivate: { summary: 'Begin to show and send alerts' },
  postAlertsDeactivate: { summary: 'Stop showing and sending alerts' },
  getActiveAlerts: {
    summary: 'List what is an alert now',
    query: { limit: '100', offset: '0' },
  },
  getAlertHistory: {
    summary: 'List what was an alert',
    query: { limit: '50', severity: 'critical' },
  },
  getAlertHistoryCount: {
    summary: 'Count what was an alert',
    query: { startTime: anAlert.startTime },
  },
  deleteAlertHistory: { summary: 'Forget what was an alert' },
  postAlertAcknowledge: { summary: 'Acknowledge an alert', ...one },
  postAlertUnacknowledge: { summary: 'Take an acknowledgement back', ...one },
  postAlertClear: { summary: 'Clear an alert', ...one },
  postAcknowledge: { summary: 'Acknowledge an alert, its id in the body', ...named },
  postUnacknowledge: { summary: 'Take an acknowledgement back, the id in the body', ...named },
  postClear: { summary: 'Clear an alert, its id in the body', ...named },
  postBulkAcknowledge: { summary: 'Acknowledge several alerts', ...several },
  postBulkClear: { summary: 'Clear several alerts', ...several },
  getAlertTrace: {
    summary: 'Tell why something is an alert, or is not',
    query: { alert: anAlert.id },
    errors: ['not_found'],
  },
} satisfies Reference<typeof calls>
