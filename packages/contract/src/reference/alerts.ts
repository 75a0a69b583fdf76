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
  getAlertConfig: { summary: 'Get the alert configuration', query: {} },
  putAlertConfig: {
    summary: 'Change the alert configuration',
    body: { guestDefaults: { cpu: { trigger: 90, clear: 85 } } },
  },
  postAlertsActivate: { summary: 'Activate alerts' },
  postAlertsDeactivate: { summary: 'Deactivate alerts' },
  getActiveAlerts: {
    summary: 'List active alerts',
    query: { limit: '100', offset: '0' },
  },
  getAlertHistory: {
    summary: 'List the alert history',
    query: { limit: '50', severity: 'critical' },
  },
  getAlertHistoryCount: {
    summary: 'Count the alerts in the history',
    query: { startTime: anAlert.startTime },
  },
  deleteAlertHistory: { summary: 'Delete the alert history' },
  postAlertAcknowledge: { summary: 'Acknowledge an alert', ...one },
  postAlertUnacknowledge: { summary: 'Revoke an acknowledgement', ...one },
  postAlertClear: { summary: 'Clear an alert', ...one },
  postAcknowledge: { summary: 'Acknowledge an alert, with the id in the body', ...named },
  postUnacknowledge: { summary: 'Revoke an acknowledgement, with the id in the body', ...named },
  postClear: { summary: 'Clear an alert, with the id in the body', ...named },
  postBulkAcknowledge: { summary: 'Acknowledge several alerts', ...several },
  postBulkClear: { summary: 'Clear several alerts', ...several },
  getAlertTrace: {
    summary: 'Explain why a condition fired, or did not',
    query: { alert: anAlert.id },
    errors: ['not_found'],
  },
} satisfies Reference<typeof calls>
