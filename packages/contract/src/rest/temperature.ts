import * as z from 'zod/mini'
import { bodyLimits, endpoint, readsSettings, writesSettings } from '../endpoint.ts'

/**
 * not_set_up: switched on, but its helper was never reached; waiting: the first reading is due; failing: tried
 * again soon; paused: three failures in a row, tried again in five minutes
 */
export const TemperatureStatus = z.enum(['off', 'not_set_up', 'waiting', 'ok', 'failing', 'paused'])
export type TemperatureStatus = z.infer<typeof TemperatureStatus>

/** A node whose temperature could be read, and how that goes. */
export const TemperatureNode = z.object({
  connectionId: z.string(),
  instance: z.string(),
  node: z.string(),
  /** absent while the node's own address is not known */
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
  /** the file or variable that fixes the switch */
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
  /** every node that is switched on answers, and there is one */
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

/** Switching off forgets the host key. */
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

/** A shell script, to be run as root on every node that is switched on; `--remove` undoes it. 404 while none is. */
export const getTemperatureScript = endpoint({
  ...readsSettings,
  path: '/api/temperature/setup-script',
  query: z.strictObject({
    /** the addresses or subnets from which Pulse connects, separated by commas; any when absent */
    from: z.optional(z.string().check(z.maxLength(512))),
  }),
  media: ['text/plain'],
})

/** Tries every node that is switched on, and stores the host key of those that are tried for the first time. */
export const postRegisterNodes = endpoint({
  ...writesSettings,
  method: 'POST',
  path: '/api/diagnostics/temperature-proxy/register-nodes',
  audit: 'temperature_changed',
  reply: RegisterNodesReply,
})

/** Text: the line for an authorized_keys file. 404 while no node is switched on. */
export const getProxyPublicKey = endpoint({
  ...readsSettings,
  path: '/api/system/proxy-public-key',
  media: ['text/plain'],
})

/** Text: one line for each of the nodes named, which are separated by blanks. */
export const postVerifyTemperatureSsh = endpoint({
  ...writesSettings,
  method: 'POST',
  path: '/api/system/verify-temperature-ssh',
  audit: 'temperature_changed',
  body: z.strictObject({ nodes: z.string().check(z.maxLength(8_192)) }),
  bodyLimit: bodyLimits.settings,
  media: ['text/plain'],
})
