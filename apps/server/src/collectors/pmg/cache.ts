import type { MailDomain, MailGateway, PmgBackup, QueueStatus } from '@pulse/contract'
import type { MailFigures } from './mail.ts'
import type { PmgClusterMember } from './schema.ts'

/** Data shared by the parts of one mail gateway. */
export interface PmgCache {
  members: { rows: readonly PmgClusterMember[]; at: number } | undefined
  mail: MailFigures | undefined
  quarantine: MailGateway['quarantine']
  domains: readonly MailDomain[] | undefined
  /** by node */
  queues: Map<string, NodeQueues>
  /** by node */
  backups: Map<string, ReadonlyMap<string, PmgBackup>>
}

export interface NodeQueues {
  status?: Omit<QueueStatus, 'oldestAt' | 'updatedAt'>
  /** all times here are by the monotonic clock */
  oldestAt?: number | undefined
  at?: number
  error?: string | undefined
}

export const createCache = (): PmgCache => ({
  members: undefined,
  mail: undefined,
  quarantine: undefined,
  domains: undefined,
  queues: new Map(),
  backups: new Map(),
})

/** The nodes that can be queried: those that their cluster reaches. */
export const reachable = ({ members }: PmgCache): string[] =>
  (members?.rows ?? []).filter(({ conn_error }) => conn_error === undefined).map(({ name }) => name)
