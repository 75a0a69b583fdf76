import type { Alert, Webhook } from '@pulse/contract'
import { type Clock, type Notice, Secret } from '@pulse/domain'
import { fakeClock } from '@pulse/testkit'
import { onTestFinished } from 'vitest'
import { createOutbound } from '../../outbound/guard.ts'
import type { Resolve } from '../../outbound/lookup.ts'
import { findApprise } from './apprise/run.ts'
import { createAppriseSender } from './apprise/send.ts'
import type { AppriseSettings } from './apprise/settings.ts'
import { createEmailSender } from './email/send.ts'
import type { EmailSettings } from './email/settings.ts'
import { createWebhookSender } from './webhook/send.ts'

export const never = new AbortController().signal

/** Closes the sink when the test ends. */
export function keep<S extends { close(): Promise<void> }>(sink: S): S {
  onTestFinished(() => sink.close())
  return sink
}

export const reasonOf = (outcome: { delivered: boolean; reason?: string }) => outcome.reason ?? 'delivered'

export function anAlert(change: Partial<Alert> = {}): Alert {
  return {
    id: 'main-100-cpu',
    type: 'cpu',
    level: 'critical',
    resourceId: 'main-pve1-100',
    resourceName: 'web-1',
    node: 'pve1',
    instance: 'main',
    message: 'CPU of web-1 is at 93.4% (threshold 80%)',
    value: 93.4,
    threshold: 80,
    startTime: '2026-01-01T11:48:00.000Z',
    lastSeen: '2026-01-01T12:00:00.000Z',
    acknowledged: false,
    metadata: { resourceType: 'VM', clearThreshold: 75 },
    ...change,
  }
}

export function aNotice(change: Partial<Notice> = {}): Notice {
  const kind = change.kind ?? 'raised'
  const resolved = kind === 'resolved' && { resolvedAt: '2026-01-01T12:00:00.000Z' }
  return {
    eventId: 'event-0001',
    kind,
    at: '2026-01-01T12:00:00.000Z',
    publicUrl: 'https://pulse.example.test',
    ...change,
    alerts: change.alerts ?? [{ alert: anAlert(), ...resolved }],
  }
}

/** Alerts of both levels. */
export const many = (count: number): Notice['alerts'] =>
  Array.from({ length: count }, (_, index) => ({
    alert: anAlert({
      id: `main-${index}-cpu`,
      resourceName: `web-${index}`,
      level: index % 3 === 0 ? 'critical' : 'warning',
    }),
    resolvedAt: '2026-01-01T12:00:00.000Z',
  }))

export const aWebhook = (url: string, change: Partial<Webhook> = {}): Webhook => ({
  id: 'w1',
  name: 'Ops',
  url,
  method: 'POST',
  headers: {},
  enabled: true,
  service: 'generic',
  template: '',
  customFields: {},
  ...change,
})

export const email = (change: Partial<EmailSettings> = {}): EmailSettings => ({
  enabled: true,
  provider: '',
  server: '127.0.0.1',
  port: 25,
  username: '',
  password: new Secret(''),
  from: 'Pulse <pulse@example.test>',
  to: ['ops@example.test'],
  replyTo: '',
  tls: false,
  startTLS: false,
  rateLimit: 60,
  maxRetries: 3,
  retryDelay: 5,
  ...change,
})

export const apprise = (change: Partial<AppriseSettings> = {}): AppriseSettings => ({
  enabled: true,
  mode: 'cli',
  targets: ['json://127.0.0.1:9/hook'],
  cliPath: 'apprise',
  timeoutSeconds: 15,
  serverUrl: '',
  configKey: '',
  apiKey: new Secret(''),
  apiKeyHeader: 'X-API-KEY',
  skipTlsVerify: false,
  ...change,
})

interface SenderEdges {
  clock: Clock
  allowed?: readonly string[]
  ca?: string
  env?: NodeJS.ProcessEnv
  resolve?: Resolve
}

/** The sender of every kind, allowed to reach loopback as if an administrator had allowed it. */
export function sendersWith({ clock, allowed = ['127.0.0.1'], ca, env = {}, resolve }: SenderEdges) {
  const outbound = createOutbound({ clock, allowedHosts: () => allowed, ...(resolve && { resolve }) })
  return {
    email: createEmailSender({ clock, outbound, ...(ca && { ca }) }),
    webhook: createWebhookSender({ clock, outbound }),
    apprise: createAppriseSender({ clock, outbound, program: () => findApprise(env['PULSE_APPRISE_PATH']) }),
  }
}

export function sendersFor(edges: Omit<SenderEdges, 'clock'> = {}) {
  const clock = fakeClock()
  return { clock, ...sendersWith({ ...edges, clock }) }
}
