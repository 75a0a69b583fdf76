import {
  type AnyRecord,
  type BackTestKind,
  type DockerContainer,
  fileSystemUsage,
  type Guest,
  type MailGateway,
} from '@pulse/contract'
import { firstByCluster } from '../alerts/rules/mail-limits.ts'
import { mostFileSystems } from './file-system-table.ts'

/**
 * Which of its alerts have no history: those about more file systems of a guest than are recorded, and those of
 * the nodes of a mail gateway, which are about each node. A container without a memory limit has none.
 */
export function unplayedOf(
  kind: BackTestKind,
  metric: string,
  record: AnyRecord,
): 'all' | 'some' | undefined {
  if (kind === 'guests' && metric === 'disk') {
    const measured = (record as Guest).disks?.filter((disk) => fileSystemUsage(disk) !== undefined) ?? []
    return measured.length > mostFileSystems ? 'some' : undefined
  }
  if (metric === 'memoryWarnPct' || metric === 'memoryCriticalPct')
    return (record as DockerContainer).memoryLimitBytes ? undefined : 'all'
  return kind === 'pmg' && isByNode(metric) && ((record as MailGateway).nodes?.length ?? 0) > 1
    ? 'some'
    : undefined
}

/** The quarantine is one for all nodes. */
const isByNode = (metric: string) => !metric.startsWith('quarantine')

/** Gateways of a cluster have the same alerts. Those of the first one are played. */
export function isPlayedForAnother(
  kind: BackTestKind,
  key: string,
  record: AnyRecord,
  gateways: ReadonlyMap<string, MailGateway>,
): boolean {
  if (kind !== 'pmg') return false
  const { cluster } = record as MailGateway
  return cluster !== undefined && firstByCluster(gateways).get(cluster.fingerprint) !== key
}
