import { type ClusterEndpoint, type MonitorFlag, monitorFlags, type SourceKind } from '@pulse/contract'
import type { Secret } from '../secret.ts'

/** A stored connection, opened: what a collector needs to watch one instance. */
export interface Connection {
  /** random and stable; every identity inside the state hangs on it */
  id: string
  kind: SourceKind
  /** the user's name for it, called instance on the wire */
  name: string
  /** https://host:port, no path */
  host: string
  auth:
    { type: 'password'; user: string; password: Secret } | { type: 'token'; tokenId: string; secret: Secret }
  /** SHA-256 of the leaf certificate as lower-case hex without colons */
  fingerprint?: string
  verifySSL: boolean
  flags: Partial<Record<MonitorFlag, boolean>>
  clusterName?: string
  clusterEndpoints?: ClusterEndpoint[]
  /** SHA-256 of each member's certificate by node name, as the verified connection reported them */
  memberFingerprints?: Record<string, string>
}

/** What is switched off: by the connection's switches, and by the setting for all backups. */
export const switchedOff = (
  { kind, flags }: Pick<Connection, 'kind' | 'flags'>,
  areBackupsPolled: boolean,
): (MonitorFlag | 'backupPolling')[] => [
  ...Object.entries({ ...monitorFlags[kind], ...flags }).flatMap(([flag, on]) =>
    !on && Object.hasOwn(monitorFlags[kind], flag) ? [flag as MonitorFlag] : [],
  ),
  ...(areBackupsPolled ? [] : (['backupPolling'] as const)),
]

/** What a cluster says about itself. */
export interface LearnedCluster {
  /** absent for a standalone host, whose endpoints are empty */
  clusterName?: string
  clusterEndpoints: ClusterEndpoint[]
  /** Without them the members of a cluster with a pinned certificate cannot stand in while the first one is down. */
  memberFingerprints: Record<string, string>
}
