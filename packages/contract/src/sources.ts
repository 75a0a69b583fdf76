import * as z from 'zod/mini'

/** The kinds of connection a user can add. */
export const sourceKinds = ['pve', 'pbs', 'pmg'] as const
export const SourceKind = z.enum(sourceKinds)
export type SourceKind = z.infer<typeof SourceKind>

/** The key of a connection in connectionHealth: the bare name for PVE, with a kind prefix for the others. */
export const connectionKey = (kind: SourceKind, name: string): string =>
  kind === 'pve' ? name : `${kind}-${name}`

export const defaultPorts: Record<SourceKind, number> = { pve: 8006, pbs: 8007, pmg: 8006 }

/** The realm of a user name without one. */
export const defaultRealms: Record<SourceKind, string> = { pve: 'pam', pbs: 'pbs', pmg: 'pmg' }

const flag = z.optional(z.boolean())

/** Monitoring switches by kind. A new connection stores the defaults. */
export const monitorFlags = {
  pve: {
    monitorVMs: true,
    monitorContainers: true,
    monitorStorage: true,
    monitorBackups: true,
    monitorPhysicalDisks: false,
  },
  pbs: {
    monitorDatastores: true,
    monitorSyncJobs: true,
    monitorVerifyJobs: true,
    monitorPruneJobs: true,
    monitorGarbageJobs: true,
  },
  pmg: {
    monitorMailStats: true,
    monitorQueues: true,
    monitorQuarantine: true,
    monitorDomainStats: false,
  },
} as const satisfies Record<SourceKind, Record<string, boolean>>

export type MonitorFlag = {
  [K in SourceKind]: keyof (typeof monitorFlags)[K]
}[SourceKind]

const flags = {
  monitorVMs: flag,
  monitorContainers: flag,
  monitorStorage: flag,
  monitorBackups: flag,
  monitorPhysicalDisks: flag,
  monitorDatastores: flag,
  monitorSyncJobs: flag,
  monitorVerifyJobs: flag,
  monitorPruneJobs: flag,
  monitorGarbageJobs: flag,
  monitorMailStats: flag,
  monitorQueues: flag,
  monitorQuarantine: flag,
  monitorDomainStats: flag,
}

const text = (max: number) => z.string().check(z.trim(), z.maxLength(max))

/**
 * The site of connections without one: where Pulse itself runs. Pages show no site while there is no other.
 */
export const mainSite = 'main'

/** The longest name of a site, in UTF-8: names of streams, which have a limit, contain it. */
export const siteBytes = 100
const tooLong = `A site has at most ${siteBytes} bytes: ${siteBytes} English letters, or ${Math.floor(siteBytes / 3)} Chinese characters.`

/** The place whose collectors poll a connection, as PULSE_SITE names it there. Empty: the main site. */
export const Site = z.string().check(
  z.trim(),
  z.maxLength(siteBytes, tooLong),
  z.refine((site) => bytesOf(site) <= siteBytes, tooLong),
  z.regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]*$/u, 'The site must be plain text without control characters.'),
)

const bytesOf = (text: string) =>
  [...text].reduce((sum, letter) => {
    const code = letter.codePointAt(0)!
    return sum + (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4)
  }, 0)

/** A connection as the form sends it. */
export const NodeInput = z.strictObject({
  type: SourceKind,
  name: z.optional(text(128)),
  host: z.optional(text(512)),
  user: z.optional(text(256)),
  password: z.optional(z.string().check(z.maxLength(1024))),
  tokenName: z.optional(text(256)),
  tokenValue: z.optional(z.string().check(z.maxLength(1024))),
  fingerprint: z.optional(text(128)),
  verifySSL: z.optional(z.boolean()),
  site: z.optional(Site),
  ...flags,
})
export type NodeInput = z.infer<typeof NodeInput>

/**
 * Absent fields keep their values. A blank secret keeps the stored one, unless the address or the certificate
 * check changes: Pulse never sends a stored secret to a new destination. The type cannot change and is
 * optional.
 */
export const NodeChange = z.strictObject({ ...NodeInput.shape, type: z.optional(SourceKind) })
export type NodeChange = z.infer<typeof NodeChange>

/**
 * With the id of a stored connection: tests that connection with the form's changes, under the rules of
 * NodeChange.
 */
export const NodeTestInput = z.strictObject({
  ...NodeChange.shape,
  id: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
})
export type NodeTestInput = z.infer<typeof NodeTestInput>

/** Names are capitalised as in the documented API. */
export const ClusterEndpoint = z.object({
  NodeID: z.string(),
  NodeName: z.string(),
  Host: z.string(),
  IP: z.string(),
  Online: z.boolean(),
  LastSeen: z.optional(z.string()),
})
export type ClusterEndpoint = z.infer<typeof ClusterEndpoint>

export const NodeConfigStatus = z.enum(['pending', 'connected', 'error', 'offline', 'disconnected'])

/** A stored connection as the API shows it, without secrets. */
export const NodeConfig = z.object({
  id: z.string(),
  type: SourceKind,
  name: z.string(),
  displayName: z.optional(z.string()),
  host: z.string(),
  user: z.optional(z.string()),
  hasPassword: z.boolean(),
  tokenName: z.optional(z.string()),
  hasToken: z.boolean(),
  fingerprint: z.optional(z.string()),
  verifySSL: z.boolean(),
  /** absent: the main site */
  site: z.optional(z.string()),
  ...flags,
  status: NodeConfigStatus,
  /** why the status is not connected */
  error: z.optional(z.string()),
  /** not connected because its certificate is not trusted */
  untrusted: z.optional(z.boolean()),
  isCluster: z.optional(z.boolean()),
  clusterName: z.optional(z.string()),
  clusterEndpoints: z.optional(z.array(ClusterEndpoint)),
  /** whether a temperature of any of its nodes is known */
  temperature: z.optional(z.object({ available: z.boolean() })),
  /** set by pulse.yaml, so it can only be changed there */
  managed: z.optional(z.boolean()),
})
export type NodeConfig = z.infer<typeof NodeConfig>
