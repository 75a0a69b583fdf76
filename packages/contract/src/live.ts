import * as z from 'zod/mini'
import { Alert } from './entities/alert.ts'
import { PlainState } from './plain.ts'
import {
  DiscoveredServer,
  DiscoveryEnvironment,
  DiscoveryError,
  DiscoveryProgress,
} from './rest/discovery.ts'
import { UpdateStatus } from './rest/updates.ts'
import { slices } from './kinds.ts'

const timed = z.object({ timestamp: z.number() })
const event = <T extends string, D extends z.core.SomeType>(type: T, data: D) =>
  z.object({ type: z.literal(type), data, timestamp: z.optional(z.string()) })

/** Small text frames that any client may get. */
export const LiveEvent = z.discriminatedUnion('type', [
  event('welcome', z.object({ message: z.string() })),
  event('ping', timed),
  event('pong', timed),
  event('alert', Alert),
  event('alertResolved', z.object({ alertId: z.string() })),
  /** a change of the alert configuration or of its activation */
  event('alertConfigChanged', z.object({})),
  event('update:progress', UpdateStatus),
  event('settingsUpdate', z.object({ theme: z.optional(z.enum(['dark', 'light', ''])) })),
  event(
    'node_auto_registered',
    z.object({
      type: z.string(),
      host: z.string(),
      name: z.optional(z.string()),
      tokenId: z.optional(z.string()),
      hasToken: z.optional(z.boolean()),
      verifySSL: z.optional(z.boolean()),
      status: z.optional(z.string()),
    }),
  ),
  event('node_deleted', z.object({ nodeType: z.string() })),
  event('nodes_changed', z.object({})),
  event(
    'discovery_started',
    z.object({ scanning: z.literal(true), subnet: z.string(), timestamp: z.number() }),
  ),
  event('discovery_progress', z.object({ progress: DiscoveryProgress, timestamp: z.number() })),
  event(
    'discovery_server_found',
    z.object({ server: DiscoveredServer, phase: z.string(), timestamp: z.number() }),
  ),
  event(
    'discovery_update',
    z.object({
      servers: z.array(DiscoveredServer),
      errors: z.array(z.string()),
      structured_errors: z.optional(z.array(DiscoveryError)),
      environment: z.optional(DiscoveryEnvironment),
      scanning: z.optional(z.boolean()),
      timestamp: z.number(),
    }),
  ),
  event(
    'discovery_complete',
    z.object({
      scanning: z.literal(false),
      timestamp: z.number(),
      environment: z.optional(DiscoveryEnvironment),
    }),
  ),
  z.object({ type: z.literal('error'), error: z.string(), data: z.optional(z.unknown()) }),
])
export type LiveEvent = z.infer<typeof LiveEvent>

/** Full states, sent as text to clients of the documented protocol. */
export const PlainFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('initialState'), data: PlainState }),
  z.object({ type: z.literal('rawData'), data: PlainState }),
])
export type PlainFrame = z.infer<typeof PlainFrame>

/** All messages that a client may send. The server answers others with `error`. */
export const ClientMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ping'), data: z.optional(z.unknown()) }),
  z.object({ type: z.literal('pong'), data: z.optional(z.unknown()) }),
  z.object({ type: z.literal('requestData'), data: z.optional(z.unknown()) }),
  /** the complete subscription; it replaces the previous one */
  z.object({
    type: z.literal('subscribe'),
    slices: z.array(z.enum(slices)).check(z.maxLength(slices.length)),
  }),
])
export type ClientMessage = z.infer<typeof ClientMessage>
