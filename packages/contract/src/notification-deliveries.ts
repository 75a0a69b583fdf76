import * as z from 'zod/mini'
import { ChannelKind } from './channels/index.ts'

/** The delivery log: one entry for each message and channel. */

/** Why a message was made. */
export const NoticeKind = z.enum(['raised', 'repeated', 'escalated', 'resolved', 'test'])
export type NoticeKind = z.infer<typeof NoticeKind>

/**
 * - `waiting`: to be sent, at once or at `nextAttemptAt`; `sending`: under way
 * - `delivered`: taken by the other side
 * - `failed`: given up, with its cause in `error`; it can be sent again by hand
 * - `cancelled`: everything in it was over or acknowledged before it could be sent
 * - `dropped`: there was no room for it
 */
export const DeliveryState = z.enum(['waiting', 'sending', 'delivered', 'failed', 'cancelled', 'dropped'])
export type DeliveryState = z.infer<typeof DeliveryState>

/**
 * Why a message waits.
 * - `grouping`: it collects alerts until the window ends
 * - `queue`: it goes out as soon as the channel is free; `retry`: the last attempt failed, the next one is at `until`
 * - `activation`: alerts are off, snoozed or not activated; `quiet-hours`; `flapping`; `hourly-cap`: suppressed by that rule
 * - `order`: the message before it about the same alert goes first; `room`: too many messages wait for this channel
 */
export const waitReasons = [
  'grouping',
  'queue',
  'retry',
  'activation',
  'quiet-hours',
  'flapping',
  'hourly-cap',
  'order',
  'room',
] as const
export const WaitReason = z.enum(waitReasons)
export type WaitReason = z.infer<typeof WaitReason>

export const Wait = z.object({
  reason: WaitReason,
  /** RFC 3339; when it goes out, or is looked at again; absent where no time decides */
  until: z.optional(z.string()),
})
export type Wait = z.infer<typeof Wait>

export const DeliveryAttempt = z.object({
  /** RFC 3339 */
  at: z.string(),
  success: z.boolean(),
  statusCode: z.optional(z.number()),
  /** ms */
  duration: z.number(),
  /** the beginning of what came back, without secrets */
  response: z.optional(z.string()),
  error: z.optional(z.string()),
})
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>

export const DeliveredAlert = z.object({
  id: z.string(),
  resourceName: z.string(),
  type: z.string(),
  level: z.string(),
  message: z.string(),
  /** RFC 3339 */
  startTime: z.string(),
})
export type DeliveredAlert = z.infer<typeof DeliveredAlert>

export const Delivery = z.object({
  id: z.string(),
  /** the same in every attempt: receivers drop copies by it; absent while the message is still collected */
  eventId: z.optional(z.string()),
  kind: NoticeKind,
  channelId: z.string(),
  channelKind: ChannelKind,
  /** `Email`, `Apprise` or the name of the webhook, as it was then */
  channelName: z.string(),
  state: DeliveryState,
  /** RFC 3339, as are the next */
  createdAt: z.string(),
  updatedAt: z.string(),
  nextAttemptAt: z.optional(z.string()),
  /** of state `waiting`: what for */
  wait: z.optional(Wait),
  /** how often it was tried */
  attempts: z.number(),
  /** the latest tries, oldest first */
  log: z.array(DeliveryAttempt),
  statusCode: z.optional(z.number()),
  error: z.optional(z.string()),
  /** bytes of what was sent last */
  payloadSize: z.optional(z.number()),
  alertCount: z.number(),
  /** the first of them */
  alerts: z.array(DeliveredAlert),
})
export type Delivery = z.infer<typeof Delivery>

/** The state of one channel. */
export const ChannelStatus = z.object({
  id: z.string(),
  kind: ChannelKind,
  name: z.string(),
  enabled: z.boolean(),
  /** messages that wait for it */
  waiting: z.number(),
  /** RFC 3339, as are the next */
  lastDeliveredAt: z.optional(z.string()),
  /** absent while it works */
  failingSince: z.optional(z.string()),
  lastError: z.optional(z.string()),
  nextAttemptAt: z.optional(z.string()),
})
export type ChannelStatus = z.infer<typeof ChannelStatus>

export const DeliveryLog = z.object({
  channels: z.array(ChannelStatus),
  queue: z.object({
    waiting: z.number(),
    /** how many may wait */
    limit: z.number(),
    /** messages for which there was no room, since the start */
    overflowed: z.number(),
  }),
  /** that fit the query, beyond those shown */
  total: z.number(),
  /** messages that are still collected, then the stored ones, newest first */
  deliveries: z.array(Delivery),
})
export type DeliveryLog = z.infer<typeof DeliveryLog>

/** How many finished messages are kept, and how many an answer has by default. */
export const deliveryLimits = {
  kept: 1_000,
  usual: 100,
  most: 1_000,
  alertsShown: 20,
  attemptsShown: 20,
} as const
