import { inSeconds } from '@pulse/contract'
import { ofKind } from '../of-kind.ts'

const gateways = ofKind('pmg')

export const mailMetrics = [
  gateways.info('pulse_mail_gateway_info', 'A Proxmox Mail Gateway. Always 1.', {
    source: ({ source }) => source,
    name: ({ name }) => name,
    version: ({ version }) => version,
  }),
  gateways.split(
    'pulse_mail_gateway_node_up',
    'Whether a node of the mail gateway is online.',
    ['node'],
    ({ nodes = [] }) => nodes.map(({ name, status }) => [status === 'online', name] as const),
  ),
  gateways.split(
    'pulse_mail_queue_messages',
    'Mail in the queues of the node: active, deferred, hold, incoming.',
    ['node', 'queue'],
    ({ nodes = [] }) =>
      nodes.flatMap(({ name, staleSince, queueStatus }) => {
        if (!queueStatus || staleSince !== undefined) return []
        const { active, deferred, hold, incoming } = queueStatus
        return Object.entries({ active, deferred, hold, incoming }).map(
          ([queue, messages]) => [messages, name, queue] as const,
        )
      }),
  ),
  gateways.split(
    'pulse_mail_queue_oldest_timestamp_seconds',
    'Arrival time of the oldest mail in the queues of the node, in seconds since 1970; absent when they are empty.',
    ['node'],
    ({ nodes = [] }) =>
      nodes.map(
        ({ name, staleSince, queueStatus }) =>
          [staleSince === undefined ? inSeconds(queueStatus?.oldestAt) : undefined, name] as const,
      ),
  ),
  gateways.split(
    'pulse_mail_day_messages',
    'Mail of the last 24 hours by direction.',
    ['direction'],
    ({ mailStats }) =>
      mailStats ? [[mailStats.countIn, 'in'] as const, [mailStats.countOut, 'out'] as const] : [],
  ),
  gateways.split(
    'pulse_mail_day_spam_messages',
    'Spam mail of the last 24 hours.',
    ['direction'],
    ({ mailStats }) =>
      mailStats ? [[mailStats.spamIn, 'in'] as const, [mailStats.spamOut, 'out'] as const] : [],
  ),
  gateways.split(
    'pulse_mail_day_virus_messages',
    'Mail of the last 24 hours that contained a virus.',
    ['direction'],
    ({ mailStats }) =>
      mailStats ? [[mailStats.virusIn, 'in'] as const, [mailStats.virusOut, 'out'] as const] : [],
  ),
  gateways.split(
    'pulse_mail_day_bounced_messages',
    'Bounced mail of the last 24 hours.',
    ['direction'],
    ({ mailStats }) =>
      mailStats ? [[mailStats.bouncesIn, 'in'] as const, [mailStats.bouncesOut, 'out'] as const] : [],
  ),
  gateways.split(
    'pulse_mail_day_bytes',
    'Size of the mail of the last 24 hours.',
    ['direction'],
    ({ mailStats }) =>
      mailStats ? [[mailStats.bytesIn, 'in'] as const, [mailStats.bytesOut, 'out'] as const] : [],
  ),
  gateways.split(
    'pulse_mail_quarantine_messages',
    'Mail in quarantine by reason.',
    ['reason'],
    ({ quarantine }) =>
      quarantine
        ? (['spam', 'virus', 'attachment'] as const).map((reason) => [quarantine[reason], reason] as const)
        : [],
  ),
]
