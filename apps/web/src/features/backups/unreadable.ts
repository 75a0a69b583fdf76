import type { SourceState } from '@pulse/contract'

/** Whether the page misses something while this of a source cannot be read. */
export function concernsBackups({ kind }: Pick<SourceState, 'kind'>, what: string): boolean {
  if (kind === 'pve') return /backup|snapshot|replication/.test(what)
  if (kind === 'pmg') return what.startsWith('backups')
  return kind === 'pbs' && what !== 'server status'
}
