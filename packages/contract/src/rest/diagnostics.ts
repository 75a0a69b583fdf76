import * as z from 'zod/mini'
import { ActivationState } from '../alert-config.ts'
import { endpoint, readsSettings } from '../endpoint.ts'
import { CallBudget, Calls, ProcessRole } from './status.ts'
import { TemperatureNode } from './temperature.ts'

const optionalText = z.optional(z.string())
const texts = z.array(z.string())

/** Based on the known guests of one connection. */
export const VmDiskCheck = z.object({
  vmsFound: z.number(),
  vmsWithAgent: z.number(),
  vmsWithDiskData: z.number(),
  testVMID: z.optional(z.number()),
  testVMName: optionalText,
  testResult: optionalText,
  /** missing permissions */
  permissions: z.optional(texts),
  recommendations: z.optional(texts),
  problematicVMs: z.optional(
    z.array(z.object({ vmid: z.number(), name: z.string(), status: z.string(), issue: z.string() })),
  ),
  filesystemsFound: z.optional(
    z.array(
      z.object({
        mountpoint: z.string(),
        type: z.string(),
        total: z.number(),
        /** absent where the agent reports only the size */
        used: z.optional(z.number()),
        filtered: z.boolean(),
        reason: optionalText,
      }),
    ),
  ),
})
export type VmDiskCheck = z.infer<typeof VmDiskCheck>

export const PhysicalDiskCheck = z.object({
  nodesChecked: z.number(),
  nodesWithDisks: z.number(),
  totalDisks: z.number(),
  nodeResults: z.array(
    z.object({
      nodeName: z.string(),
      diskCount: z.number(),
      error: optionalText,
      diskDevices: z.optional(texts),
      apiResponse: optionalText,
    }),
  ),
  testResult: optionalText,
  recommendations: z.optional(texts),
})
export type PhysicalDiskCheck = z.infer<typeof PhysicalDiskCheck>

/** One connection, tested for this run. */
const diagnosedSource = {
  id: z.string(),
  name: z.string(),
  host: z.string(),
  connected: z.boolean(),
  error: optionalText,
  /** RFC 3339 */
  lastPoll: optionalText,
  authMethod: z.enum(['api_token', 'username_password', 'none']),
  /** missing permissions, and how to grant them */
  rights: z.optional(z.object({ missing: texts, advice: texts })),
  /** load on the API of the source */
  calls: z.optional(
    z.object({
      ...Calls.shape,
      ...CallBudget.shape,
      nodes: z.array(z.object({ node: z.string(), ...Calls.shape })),
    }),
  ),
}

export const DiagnosedNode = z.object({
  ...diagnosedSource,
  type: z.enum(['pve', 'pmg']),
  details: z.optional(z.object({ node_count: z.number(), version: z.string() })),
  clusterInfo: z.optional(z.object({ name: optionalText, nodes: z.number() })),
  vmDiskCheck: z.optional(VmDiskCheck),
  physicalDisks: z.optional(PhysicalDiskCheck),
})
export type DiagnosedNode = z.infer<typeof DiagnosedNode>

export const DiagnosedBackupServer = z.object({
  ...diagnosedSource,
  details: z.optional(z.object({ version: z.string() })),
})
export type DiagnosedBackupServer = z.infer<typeof DiagnosedBackupServer>

/** Kept for older clients. This product has no sensor proxy, so it never finds one. */
const TemperatureProxy = z.object({
  legacySSHDetected: z.literal(false),
  recommendProxyUpgrade: z.literal(false),
  socketFound: z.literal(false),
  proxyReachable: z.literal(false),
  legacySshKeyCount: z.literal(0),
  /** of the key that reads temperatures over SSH */
  proxyPublicKeySha256: optionalText,
  notes: texts,
})

const TokenCheck = z.object({
  enabled: z.boolean(),
  tokenCount: z.number(),
  hasEnvTokens: z.boolean(),
  hasLegacyToken: z.boolean(),
  recommendTokenSetup: z.boolean(),
  recommendTokenRotation: z.boolean(),
  legacyDockerHostCount: z.number(),
  unusedTokenCount: z.number(),
  notes: texts,
  tokens: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      hint: z.string(),
      createdAt: z.string(),
      lastUsedAt: optionalText,
      source: z.enum(['environment', 'legacy', 'user']),
    }),
  ),
  usage: z.array(z.object({ tokenId: z.string(), hostCount: z.number(), hosts: texts })),
})

const CheckedDockerHost = z.object({
  hostId: z.string(),
  name: z.string(),
  status: z.string(),
  agentVersion: optionalText,
  tokenHint: optionalText,
  /** RFC 3339 */
  lastSeen: optionalText,
  issues: texts,
})

export const DockerAgentCheck = z.object({
  hostsTotal: z.number(),
  hostsOnline: z.number(),
  hostsReportingVersion: z.number(),
  hostsWithTokenBinding: z.number(),
  hostsWithoutTokenBinding: z.number(),
  hostsWithoutVersion: z.optional(z.number()),
  hostsOutdatedVersion: z.optional(z.number()),
  hostsWithStaleCommand: z.optional(z.number()),
  hostsPendingUninstall: z.optional(z.number()),
  hostsNeedingAttention: z.number(),
  recommendedAgentVersion: optionalText,
  attention: z.optional(z.array(CheckedDockerHost)),
  /** hosts without issues */
  otherHosts: z.optional(z.array(CheckedDockerHost)),
  notes: z.optional(texts),
})
export type DockerAgentCheck = z.infer<typeof DockerAgentCheck>

export const AlertCheck = z.object({
  enabled: z.boolean(),
  activationState: ActivationState,
  active: z.number(),
  acknowledged: z.number(),
  /** absent if the database did not answer */
  historyEntries: z.optional(z.number()),
  /** legacy forms are converted on input */
  legacyThresholdsDetected: z.literal(false),
  /** always empty: an import of 4.x converts legacy thresholds and schedules */
  legacyThresholdSources: z.array(z.string()),
  legacyScheduleSettings: z.array(z.string()),
  missingCooldown: z.boolean(),
  missingGroupingWindow: z.boolean(),
  notes: z.optional(texts),
})
export type AlertCheck = z.infer<typeof AlertCheck>

const memory = {
  instance: z.string(),
  node: z.string(),
  /** the PVE figure in use */
  memorySource: z.string(),
  /** includes page cache, because no better figure is available */
  fallback: z.boolean(),
  used: z.number(),
  total: z.number(),
  retrievedAt: optionalText,
}

/** One of several processes that watch the same estate. */
const ProcessCheck = z.object({
  /** of its machine */
  host: z.string(),
  site: z.string(),
  version: z.string(),
  roles: z.array(ProcessRole),
  leads: z.boolean(),
  /** a collector elsewhere: it only reaches NATS */
  isRemote: z.optional(z.boolean()),
  /** whether the database answers it; absent: it may not lead, or does not say so */
  hasDatabase: z.optional(z.boolean()),
  /** its leases: sources that it collects */
  sources: z.number(),
  /** messages about the estate that it has not taken yet */
  waiting: z.number(),
  /** ISO 8601 */
  startedAt: z.string(),
  lastWord: z.string(),
})
export type ProcessCheck = z.infer<typeof ProcessCheck>

export const Diagnostics = z.object({
  version: z.string(),
  runtime: z.string(),
  /** seconds */
  uptime: z.number(),
  /** errors of this run and of the product */
  errors: texts,
  nodes: z.array(DiagnosedNode),
  pbs: z.array(DiagnosedBackupServer),
  system: z.object({
    os: z.string(),
    arch: z.string(),
    /** the runtime; the name is from Pulse 4.x */
    goVersion: z.string(),
    numCPU: z.number(),
    /** active handles of the event loop; the name is from Pulse 4.x */
    numGoroutine: z.number(),
    memoryMB: z.number(),
  }),
  temperatureProxy: TemperatureProxy,
  temperatures: z.array(TemperatureNode),
  apiTokens: TokenCheck,
  dockerAgents: z.optional(DockerAgentCheck),
  alerts: z.optional(AlertCheck),
  /** absent: one process does everything */
  processes: z.optional(z.array(ProcessCheck)),
  memorySources: z.array(
    z.object({
      instance: z.string(),
      source: z.string(),
      nodeCount: z.number(),
      lastUpdated: z.string(),
      fallback: z.boolean(),
    }),
  ),
  nodeSnapshots: z.array(z.object(memory)),
  guestSnapshots: z.array(z.object({ ...memory, vmid: z.number() })),
  notes: texts,
})
export type Diagnostics = z.infer<typeof Diagnostics>

/** A run is cached for 45 s; the header X-Diagnostics-Cached-At has its time. */
export const getDiagnostics = endpoint({
  ...readsSettings,
  path: '/api/diagnostics',
  reply: Diagnostics,
})

export const diagnosticsExportVersion = '2.1.0'

/** A file with the diagnostics, with or without names and addresses. */
export const getDiagnosticsExport = endpoint({
  ...readsSettings,
  path: '/api/diagnostics/export',
  query: z.strictObject({ mode: z.optional(z.enum(['full', 'sanitized'])) }),
  media: ['application/json'],
})
