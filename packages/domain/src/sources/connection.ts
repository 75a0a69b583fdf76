import { type ClusterEndpoint, type MonitorFlag, monitorFlags, type SourceKind } from '@pulse/contract'
import type { Secret } from '../secret.ts'

/** A stored connection with decrypted secrets: all that a collector needs to monitor one instance. */
export interface Connection {
  /** random and stable; part of every identity in the state */
  id: string
  kind: SourceKind
  /** the user's name for it; `instance` on the wire */
  name: string
  /** https://host:port, no path */
  host: string
  auth:
    { type: 'password'; user: string; password: Secret } | { type: 'token'; tokenId: string; secret: Secret }
  /** SHA-256 of the leaf certificate as lower-case hex without colons */
  fingerprint?: string
  verifySSL: boolean
  /** the place whose collectors poll it; absent: the main site */
  site?: string
  flags: Partial<Record<MonitorFlag, boolean>>
  clusterName?: string
  clusterEndpoints?: ClusterEndpoint[]
  /** SHA-256 of each member's certificate by node name, as the verified connection reported them */
  memberFingerprints?: Record<string, string>
}

/** Data that is not polled: the connection's disabled switches, and the setting for all backups. */
export const switchedOff = (
  { kind, flags }: Pick<Connection, 'kind' | 'flags'>,
  areBackupsPolled: boolean,
): (MonitorFlag | 'backupPolling')[] => [
  ...Object.entries({ ...monitorFlags[kind], ...flags }).flatMap(([flag, on]) =>
    !on && Object.hasOwn(monitorFlags[kind], flag) ? [flag as MonitorFlag] : [],
  ),
  ...(areBackupsPolled ? [] : (['backupPolling'] as const)),
]

/** A cluster's own data about itself. */
export interface LearnedCluster {
  /** absent for a standalone host, which has no endpoints */
  clusterName?: string
  clusterEndpoints: ClusterEndpoint[]
  /**
   * A member of a cluster with a pinned certificate can only replace an unreachable first member with these.
   */
  memberFingerprints: Record<string, string>
}
