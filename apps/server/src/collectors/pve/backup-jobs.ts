import type { PveBackupJob } from './schema-backups.ts'

const listOf = (text: string | undefined) => (text ?? '').split(/[,;\s]+/).filter(Boolean)

export const isEnabled = ({ enabled, type }: PveBackupJob): boolean =>
  enabled !== false && (type === undefined || type === 'vzdump')

/** Whether a job names this guest, or all; who is in its pool is not known here. */
export function includes(
  { all, vmid, exclude, node, pool }: PveBackupJob,
  guest: number,
  on: string,
): boolean {
  if (pool || (node && node !== on)) return false
  const id = String(guest)
  return all ? !listOf(exclude).includes(id) : listOf(vmid).includes(id)
}
