import * as z from 'zod/mini'
import { bodyLimits, endpoint, readsSettings, writesSettings } from '../endpoint.ts'

/**
 * not_set_up: enabled, but its helper was never reached; waiting: the first reading is due; failing: retried
 * soon; paused: three failures in a row, retried after five minutes
 */
export const TemperatureStatus = z.enum(['off', 'not_set_up', 'waiting', 'ok', 'failing', 'paused'])
export type TemperatureStatus = z.infer<typeof TemperatureStatus>

/** A node with readable temperatures, and the state of its readings. */
export const TemperatureNode = z.object({
  connectionId: z.string(),
  instance: z.string(),
  node: z.string(),
  /** absent while the node's address is unknown */
  address: z.optional(z.string()),
  enabled: z.boolean(),
  /** of the node's SSH service */
  port: z.number(),
  status: TemperatureStatus,
  error: z.optional(z.string()),
  /** RFC 3339 */
  lastRead: z.optional(z.string()),
  /** of the stored host key, as `ssh-keygen -l` shows it */
  hostKeyFingerprint: z.optional(z.string()),
  /** the file or variable that fixes the setting */
  lockedBy: z.optional(z.string()),
})
export type TemperatureNode = z.infer<typeof TemperatureNode>

export const defaultSshPort = 22

export const TemperatureNodeInput = z.strictObject({
  enabled: z.boolean(),
  port: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(65_535))),
})
export type TemperatureNodeInput = z.infer<typeof TemperatureNodeInput>

export const RegisterNodesReply = z.object({
  /** at least one node is enabled, and all enabled nodes answer */
  success: z.boolean(),
  message: z.string(),
  nodes: z.array(z.object({ name: z.string(), ssh_ready: z.boolean(), error: z.optional(z.string()) })),
})
export type RegisterNodesReply = z.infer<typeof RegisterNodesReply>

export const getTemperatureNodes = endpoint({
  ...readsSettings,
  path: '/api/temperature/nodes',
  reply: z.object({ nodes: z.array(TemperatureNode) }),
})

/** Disabling deletes the host key. */
export const putTemperatureNode = endpoint({
  ...writesSettings,
  method: 'PUT',
  path: '/api/temperature/nodes/:connectionId/:node',
  audit: 'temperature_changed',
  params: z.object({
    connectionId: z.string().check(z.minLength(1), z.maxLength(64)),
    node: z.string().check(z.minLength(1), z.maxLength(253)),
  }),
  body: TemperatureNodeInput,
  bodyLimit: bodyLimits.settings,
  reply: TemperatureNode,
})

/** A shell script to run as root on every enabled node; `--remove` undoes it. 404 without enabled nodes. */
export const getTemperatureScript = endpoint({
  ...readsSettings,
  path: '/api/temperature/setup-script',
  query: z.strictObject({
    /** addresses or subnets that Pulse connects from, comma-separated; default: any */
    from: z.optional(z.string().check(z.maxLength(512))),
  }),
  media: ['text/plain'],
})

/** Tests every enabled node, and stores the host keys of new ones. */
export const postRegisterNodes = endpoint({
  ...writesSettings,
  method: 'POST',
  path: '/api/diagnostics/temperature-proxy/register-nodes',
  audit: 'temperature_changed',
  reply: RegisterNodesReply,
})

/** Text: the line for an authorized_keys file. 404 without enabled nodes. */
export const getProxyPublicKey = endpoint({
  ...readsSettings,
  path: '/api/system/proxy-public-key',
  media: ['text/plain'],
})

/** Text: one line per named node; names are separated by spaces. */
export const postVerifyTemperatureSsh = endpoint({
  ...writesSettings,
  method: 'POST',
  path: '/api/system/verify-temperature-ssh',
  audit: 'temperature_changed',
  body: z.strictObject({ nodes: z.string().check(z.maxLength(8_192)) }),
  bodyLimit: bodyLimits.settings,
  media: ['text/plain'],
})
