import { alertDefaults } from '../alert-defaults.ts'
import type * as calls from '../rest/alerts.ts'
import type { Reference } from './about.ts'
import { anAlert } from './samples.ts'

const done = { success: true } as const
const missing = ['not_found'] as const
const user = 'admin'
const one = { params: { id: anAlert.id }, body: { user }, reply: done, errors: missing }
const named = { body: { id: anAlert.id, user }, reply: done, errors: missing }
const several = {
  body: { alertIds: [anAlert.id], user },
  reply: { results: [{ alertId: anAlert.id, success: true }] },
}
const activated = {
  success: true,
  message: 'Alerts are active.',
  state: 'active',
  activationTime: anAlert.startTime,
} as const

export const alerts = {
  getAlertConfig: { summary: 'Read the configuration of alerts', query: {}, reply: alertDefaults },
  putAlertConfig: {
    summary: 'Change the configuration of alerts',
    body: { guestDefaults: { cpu: { trigger: 90, clear: 85 } } },
    reply: { success: true, message: 'Alert configuration updated' },
  },
  postAlertsActivate: { summary: 'Begin to show and send alerts', reply: activated },
  postAlertsDeactivate: {
    summary: 'Stop showing and sending alerts',
    reply: { success: true, message: 'Alerts are paused.', state: 'snoozed' },
  },
  getActiveAlerts: {
    summary: 'List what is an alert now',
    query: { limit: '100', offset: '0' },
    reply: [anAlert],
  },
  getAlertHistory: {
    summary: 'List what was an alert',
    query: { limit: '50', severity: 'critical' },
    reply: [
      {
        ...anAlert,
        level: 'critical',
        peakLevel: 'critical',
        status: 'resolved',
        endTime: anAlert.lastSeen!,
        duration: 670,
      },
    ],
  },
  getAlertHistoryCount: {
    summary: 'Count what was an alert',
    query: { startTime: anAlert.startTime },
    reply: { count: 2418 },
  },
  deleteAlertHistory: {
    summary: 'Forget what was an alert',
    reply: { status: 'success', message: 'Alert history cleared' },
  },
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
    reply: {
      gates: [],
      conditions: [
        {
          alertId: anAlert.id,
          type: 'cpu',
          resourceId: anAlert.resourceId,
          resourceName: anAlert.resourceName,
          state: 'active',
          value: 87.4,
          unit: '%',
          threshold: { trigger: 80, clear: 75, origin: { from: 'defaults', name: 'guestDefaults' } },
          level: 'warning',
          since: anAlert.startTime,
          steps: ['Raised after 5 s beyond the threshold.'],
        },
      ],
    },
  },
} satisfies Reference<typeof calls>
