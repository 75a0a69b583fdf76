// This file serves tests only, like the package it needs.
import {
  type AppriseSink,
  type SinkBehaviour,
  type SmtpSink,
  startAppriseSink,
  startSmtpSink,
  startWebhookSink,
  type WebhookSink,
} from '@pulse/lab'
import type { Call } from '../testing/server.ts'

/** Five destinations on 127.0.0.1: mail, three kinds of webhooks, and an Apprise server. */
export interface Sinks {
  mail: SmtpSink
  hooks: WebhookSink
  apprise: AppriseSink
  /** Sets the behaviour of all of them. */
  behave(how: SinkBehaviour): void
  /** Messages received since the last call. */
  taken(): Record<string, number>
  close(): Promise<void>
}

export async function openSinks(): Promise<Sinks> {
  const [mail, hooks, apprise] = await Promise.all([
    startSmtpSink(),
    startWebhookSink(),
    startAppriseSink({ keys: ['ops'] }),
  ])
  return {
    mail,
    hooks,
    apprise,
    behave(how) {
      hooks.behave(how)
      apprise.behave(how)
      mail.behave(
        how.kind === 'take' || how.kind === 'hang'
          ? { kind: how.kind }
          : { kind: 'refuse', at: 'data', code: 451, text: 'Try again later' },
      )
    },
    taken() {
      const services = Object.groupBy(hooks.received(), ({ service }) => service)
      const taken = {
        mail: mail.received().length,
        apprise: apprise.received().length,
        ...Object.fromEntries(Object.entries(services).map(([name, all]) => [name, all!.length])),
      }
      mail.clear()
      hooks.clear()
      apprise.clear()
      return taken
    },
    async close() {
      await Promise.all([mail.close(), hooks.close(), apprise.close()])
    },
  }
}

/** Configures the destinations like an administrator. */
export async function setUpSinks({ mail, hooks, apprise }: Sinks, call: Call) {
  await call('PUT', '/api/notifications/outbound', { allowedHosts: ['127.0.0.1'] })
  for (const service of ['generic', 'slack', 'ntfy'])
    await call('POST', '/api/notifications/webhooks', {
      name: service,
      url: hooks.urls[service],
      service,
      enabled: true,
    })
  await call('PUT', '/api/notifications/email', {
    enabled: true,
    server: mail.host,
    port: mail.port,
    tls: false,
    startTLS: false,
    from: 'pulse@lab.test',
    to: ['night@lab.test'],
  })
  await call('PUT', '/api/notifications/apprise', {
    enabled: true,
    mode: 'http',
    serverUrl: apprise.origin,
    configKey: 'ops',
    targets: [],
  })
}
