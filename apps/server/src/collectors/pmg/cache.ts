import type { MailDomain, MailGateway, PmgBackup, QueueStatus } from '@pulse/contract'
import type { MailFigures } from './mail.ts'
import type { PmgClusterMember } from './schema.ts'

/** What the parts of one mail gateway share. */
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
  /** by the monotonic clock, as all moments here */
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

/** The nodes that can be asked: those that their cluster reaches. */
export const reachable = ({ members }: PmgCache): string[] =>
  (members?.rows ?? []).filter(({ conn_error }) => conn_error === undefined).map(({ name }) => name)
