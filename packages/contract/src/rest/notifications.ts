import * as z from 'zod/mini'
import { Done, largeBody, line, settingsBody } from '../channels/fields.ts'
import { ChannelKind } from '../channels/index.ts'
import { endpoint, readsSettings, writesSettings } from '../endpoint.ts'
import { DeliveryLog, DeliveryState } from '../notification-deliveries.ts'

/** A host name or address, with an optional port: `gotify.lan`, `127.0.0.1:8000`, `[::1]:25`. */
const hostName = line(260).check(
  z.regex(
    /^(?:\[[0-9a-fA-F:.]+\]|[^\s/@?#:[\]]+)(?::\d{1,5})?$/,
    'Use a host such as gotify.lan or 127.0.0.1:8000.',
  ),
)

/** Hosts that the outbound guard allows although it blocks their networks, such as this machine. */
export const OutboundConfig = z.strictObject({
  allowedHosts: z.array(hostName).check(z.maxLength(200)),
})
export type OutboundConfig = z.infer<typeof OutboundConfig>

/* Calls for all channels. The calls of one kind are in its file in `channels`.

   Pulse never sends a stored secret to a new destination, such as another SMTP server, port or encryption,
   another webhook address, or another Apprise server or mode. A change or test that would do so is refused
   with `secret_required`. `details` names the values to enter again: `password`, `apiKey`, `targets`,
   `url`, `headers.{name}`, `customFields.{name}`. An invalid value is `validation_failed` with the same
   names. */

/**
 * Waits for the result of a real send, with the settings in the call or the stored ones. Without an id, the
 * first enabled webhook is tested. A failure is `notification_failed` with the receiver's answer.
 */
export const postNotificationTest = endpoint({
  ...writesSettings,
  method: 'POST',
  path: '/api/notifications/test',
  audit: 'notification_tested',
  auditFailures: true,
  body: z.strictObject({
    /** either field */
    method: z.optional(ChannelKind),
    type: z.optional(ChannelKind),
    /** any part of the channel's settings; absent fields use the stored values */
    config: z.optional(z.record(z.string(), z.unknown())),
    webhookId: z.optional(z.string().check(z.maxLength(128))),
  }),
  bodyLimit: largeBody,
  reply: z.object({ status: z.literal('success'), message: z.string() }),
})

export const getOutboundConfig = endpoint({
  ...readsSettings,
  path: '/api/notifications/outbound',
  reply: OutboundConfig,
})
export const putOutboundConfig = endpoint({
  ...writesSettings,
  method: 'PUT',
  path: '/api/notifications/outbound',
  audit: 'notification_settings_changed',
  body: OutboundConfig,
  bodyLimit: settingsBody,
  reply: OutboundConfig,
})

export const getDeliveries = endpoint({
  ...readsSettings,
  path: '/api/notifications/deliveries',
  query: z.strictObject({
    /** a number; default 100 */
    limit: z.optional(z.string().check(z.regex(/^\d{1,6}$/))),
    state: z.optional(DeliveryState),
    channel: z.optional(z.string().check(z.maxLength(256))),
  }),
  reply: DeliveryLog,
})
/** Sends a message now that failed or waits for a retry. 409 if it was delivered or is being sent. */
export const postDeliveryRetry = endpoint({
  ...writesSettings,
  method: 'POST',
  path: '/api/notifications/deliveries/:id/retry',
  audit: 'delivery_retried',
  params: z.object({ id: z.string().check(z.minLength(1), z.maxLength(128)) }),
  reply: Done,
})
