import * as z from 'zod/mini'
import { ChannelKind } from './channels/index.ts'

/** The delivery log: one entry for each message and channel. */

/** The kind of a message. */
export const NoticeKind = z.enum(['raised', 'repeated', 'escalated', 'resolved', 'test'])
export type NoticeKind = z.infer<typeof NoticeKind>

/**
 * - `waiting`: to be sent, now or at `nextAttemptAt`; `sending`: an attempt is running
 * - `delivered`: accepted by the receiver
 * - `failed`: given up, with the cause in `error`; an administrator can send it again
 * - `cancelled`: all its alerts were resolved or acknowledged before it could be sent
 * - `dropped`: the queue was full
 */
export const DeliveryState = z.enum(['waiting', 'sending', 'delivered', 'failed', 'cancelled', 'dropped'])
export type DeliveryState = z.infer<typeof DeliveryState>

/**
 * Why a message waits.
 * - `grouping`: it collects alerts until the window ends
 * - `queue`: the channel is busy; `retry`: the last attempt failed, the next is at `until`
 * - `activation`: alerts are off, snoozed or not activated
 * - `quiet-hours`, `flapping`, `hourly-cap`: suppressed by that rule
 * - `order`: an earlier message about the same alert goes first
 * - `room`: the channel has too many waiting messages
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
  /** RFC 3339; when it is sent or decided again; absent if it does not depend on time */
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
  /** start of the answer, without secrets */
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
  /** the same in every attempt, so receivers can drop duplicates; absent while the message collects alerts */
  eventId: z.optional(z.string()),
  kind: NoticeKind,
  channelId: z.string(),
  channelKind: ChannelKind,
  /** `Email`, `Apprise` or the webhook's name at that time */
  channelName: z.string(),
  state: DeliveryState,
  /** RFC 3339, like the next */
  createdAt: z.string(),
  updatedAt: z.string(),
  nextAttemptAt: z.optional(z.string()),
  /** in state `waiting`: the reason */
  wait: z.optional(Wait),
  /** number of attempts */
  attempts: z.number(),
  /** the latest attempts, oldest first */
  log: z.array(DeliveryAttempt),
  statusCode: z.optional(z.number()),
  error: z.optional(z.string()),
  /** bytes of the last attempt */
  payloadSize: z.optional(z.number()),
  alertCount: z.number(),
  /** the first alerts */
  alerts: z.array(DeliveredAlert),
})
export type Delivery = z.infer<typeof Delivery>

/** The state of one channel. */
export const ChannelStatus = z.object({
  id: z.string(),
  kind: ChannelKind,
  name: z.string(),
  enabled: z.boolean(),
  /** waiting messages of the channel */
  waiting: z.number(),
  /** RFC 3339, like the next */
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
    /** queue limit */
    limit: z.number(),
    /** messages dropped by a full queue since the start */
    overflowed: z.number(),
  }),
  /** deliveries that match the query, including those not returned */
  total: z.number(),
  /** collecting messages, then stored ones, newest first */
  deliveries: z.array(Delivery),
})
export type DeliveryLog = z.infer<typeof DeliveryLog>

/** Number of finished messages kept (`kept`), and page sizes (`usual`: the default). */
export const deliveryLimits = {
  kept: 1_000,
  usual: 100,
  most: 1_000,
  alertsShown: 20,
  attemptsShown: 20,
} as const
