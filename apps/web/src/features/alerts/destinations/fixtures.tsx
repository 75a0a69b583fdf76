import {
  appriseDefaults,
  type Delivery,
  type DeliveryLog,
  emailDefaults,
  type EmailProvider,
  type Webhook,
  type WebhookTemplate,
} from '@pulse/contract'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { showAlerts, toasts } from '../fake-alerts.tsx'

/** Clears stored state and toasts around each test. */
export function destinationsAlone() {
  beforeEach(() => {
    localStorage.clear()
    toasts()
    vi.stubGlobal('scrollTo', () => {})
    vi.spyOn(console, 'warn').mockImplementation(() => {})
  })
  afterEach(() => {
    cleanup()
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })
}

export const aProvider = (change: Partial<EmailProvider> = {}): EmailProvider => ({
  name: 'SendGrid',
  smtpHost: 'smtp.sendgrid.net',
  smtpPort: 587,
  tls: false,
  startTLS: true,
  authRequired: true,
  username: 'apikey',
  instructions: 'Use an API key as the password.',
  ...change,
})

export const aTemplate = (change: Partial<WebhookTemplate> = {}): WebhookTemplate => ({
  service: 'generic',
  name: 'Generic',
  urlPattern: '',
  method: 'POST',
  headers: {},
  payloadTemplate: '{"text": "{{.Message}}"}',
  instructions: '',
  fields: [],
  ...change,
})

export const templates: readonly WebhookTemplate[] = [
  aTemplate(),
  aTemplate({
    service: 'discord',
    name: 'Discord',
    urlPattern: 'https://discord.com/api/webhooks/{id}/{token}',
    instructions: 'Create a webhook in the settings of the channel.',
  }),
  aTemplate({
    service: 'pushover',
    name: 'Pushover',
    urlPattern: 'https://api.pushover.net/1/messages.json',
    instructions: 'Create an application.',
    fields: [
      { name: 'app_token', label: 'Application token', required: true, secret: true },
      { name: 'user_token', label: 'User key', required: true, secret: true },
      { name: 'device', label: 'Device', required: false, secret: false, placeholder: 'phone' },
    ],
  }),
  aTemplate({ service: 'ntfy', name: 'ntfy', urlPattern: 'https://ntfy.sh/{topic}', method: 'PUT' }),
]

export const aWebhook = (change: Partial<Webhook> = {}): Webhook => ({
  id: 'hook-1',
  name: 'Operations',
  url: 'https://discord.com/api/webhooks/1/********',
  method: 'POST',
  headers: {},
  enabled: true,
  service: 'discord',
  template: '',
  customFields: {},
  ...change,
})

export const aDelivery = (change: Partial<Delivery> = {}): Delivery => ({
  id: 'delivery-1',
  eventId: 'event-1',
  kind: 'raised',
  channelId: 'email',
  channelKind: 'email',
  channelName: 'Email',
  state: 'delivered',
  createdAt: '2026-03-01T10:00:00Z',
  updatedAt: '2026-03-01T10:00:01Z',
  attempts: 1,
  log: [],
  alertCount: 1,
  alerts: [
    {
      id: 'guest:1/cpu',
      resourceName: 'web-1',
      type: 'cpu',
      level: 'critical',
      message: 'CPU at 97%',
      startTime: '2026-03-01T09:59:00Z',
    },
  ],
  ...change,
})

export const aLog = (change: Partial<DeliveryLog> = {}): DeliveryLog => ({
  channels: [],
  queue: { waiting: 0, limit: 10_000, overflowed: 0 },
  total: change.deliveries?.length ?? 0,
  deliveries: [],
  ...change,
})

export const emailCall = 'GET /api/notifications/email'
export const saveEmailCall = 'PUT /api/notifications/email'
export const appriseCall = 'GET /api/notifications/apprise'
export const saveAppriseCall = 'PUT /api/notifications/apprise'
export const hostsCall = 'GET /api/notifications/outbound'
export const saveHostsCall = 'PUT /api/notifications/outbound'
export const webhooksCall = 'GET /api/notifications/webhooks'
export const templatesCall = 'GET /api/notifications/webhook-templates'
export const deliveriesCall = 'GET /api/notifications/deliveries'
export const testCall = 'POST /api/notifications/test'

const success = { status: 'success' }

/** Renders the page with a server on which nothing is configured. */
export const showDestinations = (
  replies: Record<string, unknown> = {},
  { path = '/alerts/destinations', ...given }: Parameters<typeof showAlerts>[1] & { path?: string } = {},
) =>
  showAlerts(path, {
    ...given,
    replies: {
      [emailCall]: emailDefaults,
      [saveEmailCall]: success,
      'GET /api/notifications/email-providers': [
        aProvider(),
        aProvider({ name: 'Custom SMTP Server', smtpHost: '', instructions: 'Ask its administrator.' }),
      ],
      [appriseCall]: appriseDefaults,
      [hostsCall]: { allowedHosts: [] },
      [saveHostsCall]: (sent: unknown) => sent,
      [webhooksCall]: [],
      [templatesCall]: templates,
      [deliveriesCall]: aLog(),
      [testCall]: { ...success, message: '' },
      ...replies,
    },
  })

export const card = (name: string) => within(screen.getByRole('region', { name }))

export async function press(element: HTMLElement) {
  await act(async () => void fireEvent.click(element))
  await act(async () => {})
}

/** Types a value and leaves the field. */
export async function fill(field: HTMLElement, value: string) {
  await act(async () => {
    fireEvent.change(field, { target: { value } })
    fireEvent.blur(field)
  })
}

export async function choose(trigger: HTMLElement, name: string) {
  await press(trigger)
  const option = screen.getByRole('option', { name })
  await act(async () => {
    fireEvent.pointerDown(option)
    fireEvent.click(option)
  })
  await act(async () => {})
}

/** A refusal from the server. */
export const refusal = (error: string, more: Readonly<Record<string, unknown>> = {}, status = 400) =>
  new Response(JSON.stringify({ error, status, ...more }), { status })

export const field = (name: string, label: string | RegExp) =>
  card(name).getByLabelText<HTMLInputElement>(label)
export const button = (name: string, label: string) =>
  card(name).getByRole<HTMLButtonElement>('button', { name: label })
export const isUnsaved = () => screen.queryByText('You have unsaved changes') !== null
