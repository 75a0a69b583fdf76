import type { AppriseConfig, EmailConfig, Webhook } from './notification-channels.ts'

export const emailDefaults: EmailConfig = {
  enabled: false,
  provider: '',
  server: '',
  port: 587,
  username: '',
  password: '',
  hasPassword: false,
  from: '',
  to: [],
  replyTo: '',
  tls: true,
  startTLS: false,
  rateLimit: 60,
  maxRetries: 3,
  retryDelay: 5,
}

export const appriseDefaults: AppriseConfig = {
  enabled: false,
  mode: 'cli',
  targets: [],
  cliPath: 'apprise',
  timeoutSeconds: 15,
  serverUrl: '',
  configKey: '',
  apiKey: '',
  hasApiKey: false,
  apiKeyHeader: 'X-API-KEY',
  skipTlsVerify: false,
}

/** Without values that have no sensible default. */
export const webhookDefaults: Omit<Webhook, 'id' | 'name' | 'url'> = {
  method: 'POST',
  headers: {},
  enabled: true,
  service: 'generic',
  template: '',
  customFields: {},
}
