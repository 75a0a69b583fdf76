import { mainSite, monitorFlags, type MonitorFlag, type NodeConfig, type SourceState } from '@pulse/contract'
import type { Connection } from '@pulse/domain'
import { showFingerprint } from './normalize.ts'

/** A connection as the API shows it: without secrets, and with every flag as a boolean. */
export function toNodeConfig(c: Connection, source: SourceState | undefined): NodeConfig {
  const flags = Object.fromEntries(
    Object.keys(monitorFlags[c.kind]).map((name) => [name, c.flags[name as MonitorFlag] ?? false]),
  )
  return {
    id: c.id,
    type: c.kind,
    name: c.name,
    displayName: c.name,
    host: c.host,
    ...(c.auth.type === 'password' ? { user: c.auth.user } : { tokenName: c.auth.tokenId }),
    hasPassword: c.auth.type === 'password',
    hasToken: c.auth.type === 'token',
    ...(c.fingerprint ? { fingerprint: showFingerprint(c.fingerprint) } : {}),
    verifySSL: c.verifySSL,
    ...(c.site !== undefined && { site: c.site }),
    ...flags,
    status: statusOf(source),
    ...(source && errorOf(source)),
    ...(source?.untrusted ? { untrusted: true } : {}),
    isCluster: c.clusterName !== undefined,
    ...(c.clusterName ? { clusterName: c.clusterName } : {}),
    ...(c.clusterEndpoints ? { clusterEndpoints: c.clusterEndpoints } : {}),
  }
}

function statusOf(source: SourceState | undefined): NodeConfig['status'] {
  if (source?.siteUnreachableSince !== undefined) return 'disconnected'
  if (!source || source.health === 'unknown') return 'pending'
  if (source.health === 'error') return source.lastSeen && !source.refused ? 'offline' : 'error'
  return 'connected'
}

function errorOf({ error, site = mainSite, siteUnreachableSince }: SourceState): Pick<NodeConfig, 'error'> {
  if (siteUnreachableSince !== undefined) return { error: `No word from site ${site}.` }
  return error ? { error } : {}
}
