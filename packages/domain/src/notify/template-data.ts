import type { Alert } from '@pulse/contract'
import { mostSevereFirst } from './batch.ts'
import { type Message, moreText, type DescribedAlert, toMessage } from './message.ts'
import type { Notice } from './notice.ts'
import { hasFigure, nodeText, thresholdText, valueText } from './text.ts'
import type { Value } from './template/values.ts'

/** Alerts of a message that a template can access. */
export const alertsInTemplate = 100

/** The data of a user's template. */
export function templateData(
  message: Message,
  customFields: Readonly<Record<string, string>>,
  chatId: string,
): Value {
  const { notice, first, others, left } = message
  const alerts = mostSevereFirst(notice.alerts, ({ alert }) => alert)
    .slice(0, alertsInTemplate)
    .map(
      ({ alert, resolvedAt }) =>
        toMessage({ ...notice, alerts: [{ alert, ...(resolvedAt && { resolvedAt }) }] }).first,
    )
  const more = moreText(left)
  const rest = others.map((line) => `\n• ${line}`).join('') + (more && `\n… ${more}`)
  return {
    ...fieldsOf(first, notice),
    Message: message.text + rest,
    Timestamp: notice.at,
    CustomFields: customFields,
    AlertCount: notice.alerts.length,
    Alerts: alerts.map((one) => fieldsOf(one, notice)),
    ChatID: chatId,
    Event: notice.kind,
    EventID: notice.eventId,
  }
}

function fieldsOf(
  { alert, resolvedAt, duration }: DescribedAlert,
  { kind, publicUrl }: Notice,
): Record<string, Value> {
  const metadata = (alert.metadata ?? {}) as Record<string, Value>
  return {
    ID: alert.id,
    Level: kind === 'resolved' ? 'resolved' : alert.level,
    Type: alert.type,
    ResourceName: alert.resourceName,
    ResourceID: alert.resourceId,
    Node: nodeText(alert),
    Site: alert.site ?? '',
    Instance: publicUrl ?? linkOf(alert),
    Message: alert.message,
    Value: alert.value,
    Threshold: alert.threshold,
    ValueFormatted: hasFigure(alert) ? valueText(alert) : '',
    ThresholdFormatted: hasFigure(alert) ? thresholdText(alert) : '',
    StartTime: alert.startTime,
    LastSeen: alert.lastSeen ?? '',
    Duration: duration,
    ResourceType: typeof metadata['resourceType'] === 'string' ? metadata['resourceType'] : '',
    Acknowledged: alert.acknowledged,
    AckTime: alert.ackTime ?? '',
    AckUser: alert.ackUser ?? '',
    ResolvedTime: resolvedAt ?? '',
    Metadata: metadata,
  }
}

/** The resource's own address, if it has one. */
const linkOf = ({ instance }: Alert): string => (/^https?:\/\//.test(instance) ? instance : '')

const sampleAlert: Alert = {
  id: 'test-alert-cpu',
  type: 'cpu',
  level: 'warning',
  resourceId: 'test-resource',
  resourceName: 'test-vm',
  node: 'test-node',
  instance: 'test',
  message: 'CPU of test-vm is at 85.3% (threshold 80%)',
  value: 85.3,
  threshold: 80,
  startTime: '2026-01-01T11:55:00.000Z',
  lastSeen: '2026-01-01T12:00:00.000Z',
  acknowledged: false,
  metadata: { resourceType: 'VM' },
}

/**
 * Notices for checking a template before it is saved: one and several alerts, of both levels, firing and
 * resolved.
 */
export function templateSamples(customFields: Readonly<Record<string, string>>): Value[] {
  const at = '2026-01-01T12:00:00.000Z'
  const offline: Alert = {
    ...sampleAlert,
    type: 'offline',
    level: 'critical',
    node: '',
    message: 'test-vm is offline',
    value: 0,
    threshold: 0,
  }
  const notices: Notice[] = [
    {
      eventId: 'sample-1',
      kind: 'raised',
      at,
      alerts: [{ alert: sampleAlert }],
      publicUrl: 'https://pulse.example',
    },
    { eventId: 'sample-2', kind: 'raised', at, alerts: [{ alert: offline }, { alert: sampleAlert }] },
    { eventId: 'sample-3', kind: 'resolved', at, alerts: [{ alert: sampleAlert, resolvedAt: at }] },
  ]
  return notices.map((notice) => templateData(toMessage(notice), customFields, '-1001234567890'))
}
