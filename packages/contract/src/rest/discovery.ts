import * as z from 'zod/mini'
import { bodyLimits, endpoint, readsSettings, writesSettings } from '../endpoint.ts'
import { SourceKind } from '../sources.ts'

/** A discovered Proxmox server that is not added yet. */
export const DiscoveredServer = z.object({
  ip: z.string(),
  port: z.number(),
  type: SourceKind,
  /** `Unknown` if the server requires a login for it */
  version: z.string(),
  hostname: z.optional(z.string()),
  release: z.optional(z.string()),
})
export type DiscoveredServer = z.infer<typeof DiscoveredServer>

export const DiscoveryErrorType = z.enum([
  'timeout',
  'connection_refused',
  'no_identification',
  'phase_error',
  'canceled',
])

export const DiscoveryError = z.object({
  ip: z.optional(z.string()),
  port: z.optional(z.number()),
  phase: z.string(),
  error_type: DiscoveryErrorType,
  message: z.string(),
  /** epoch seconds */
  timestamp: z.number(),
})
export type DiscoveryError = z.infer<typeof DiscoveryError>

export const DiscoveryPhase = z.object({
  name: z.string(),
  subnets: z.array(z.string()),
  /** 0 to 1: the probability that the servers are in these networks */
  confidence: z.number(),
})
export type DiscoveryPhase = z.infer<typeof DiscoveryPhase>

/** The environment of Pulse and the networks that a scan covers. */
export const DiscoveryEnvironment = z.object({
  type: z.enum(['native', 'docker_host', 'docker_bridge', 'lxc_privileged', 'lxc_unprivileged']),
  confidence: z.number(),
  phases: z.array(DiscoveryPhase),
  warnings: z.array(z.string()),
  metadata: z.record(z.string(), z.string()),
})
export type DiscoveryEnvironment = z.infer<typeof DiscoveryEnvironment>

export const DiscoveryProgress = z.object({
  current_phase: z.string(),
  /** from 1 */
  phase_number: z.number(),
  total_phases: z.number(),
  /** addresses */
  targets_in_phase: z.number(),
  processed_in_phase: z.number(),
  total_targets: z.number(),
  total_processed: z.number(),
  servers_found: z.number(),
  /** 0 to 100 */
  percentage: z.number(),
})
export type DiscoveryProgress = z.infer<typeof DiscoveryProgress>

export const DiscoveryReply = z.object({
  servers: z.array(DiscoveredServer),
  /** `Phase [ip:port]: text` */
  errors: z.array(z.string()),
  structured_errors: z.array(DiscoveryError),
  environment: z.nullable(DiscoveryEnvironment),
  cached: z.boolean(),
  /** a scan is running */
  scanning: z.boolean(),
  /** epoch seconds of the scan's end, 0 without one; in two fields for two kinds of client */
  updated: z.number(),
  timestamp: z.number(),
  /** seconds since then; only in a cached answer */
  age: z.optional(z.number()),
})
export type DiscoveryReply = z.infer<typeof DiscoveryReply>

export const DiscoveryInput = z.strictObject({
  /** CIDR list; empty or `auto`: networks of this machine; absent: networks of the settings */
  subnet: z.optional(z.string().check(z.trim(), z.maxLength(2000))),
  /** return the latest result instead of scanning */
  use_cache: z.optional(z.boolean()),
})
export type DiscoveryInput = z.infer<typeof DiscoveryInput>

export const getDiscovery = endpoint({
  ...readsSettings,
  path: '/api/discover',
  reply: DiscoveryReply,
})

export const postDiscovery = endpoint({
  ...writesSettings,
  method: 'POST',
  path: '/api/discover',
  audit: 'own',
  body: DiscoveryInput,
  bodyLimit: bodyLimits.settings,
  reply: DiscoveryReply,
})
