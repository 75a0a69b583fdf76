import type { PveBackupJob } from './schema-backups.ts'

/** A job, parsed once because ten thousand guests are compared with it. */
export interface BackupJob {
  isEnabled: boolean
  /** its members are unknown here */
  isPool: boolean
  /** the only node on which it runs */
  node: string | undefined
  /** undefined: all guests */
  only: ReadonlySet<number> | undefined
  not: ReadonlySet<number>
}

const numbersIn = (names: readonly string[] = []): ReadonlySet<number> => new Set(names.map(Number))

export const toJob = ({ enabled, type, all, vmid, exclude, pool, node }: PveBackupJob): BackupJob => ({
  isEnabled: enabled !== false && (type === undefined || type === 'vzdump'),
  isPool: Boolean(pool),
  node: node || undefined,
  only: all ? undefined : numbersIn(vmid),
  not: numbersIn(exclude),
})

const includes = ({ node, only, not }: BackupJob, vmid: number, on: string): boolean =>
  (node === undefined || node === on) && (only ? only.has(vmid) : !not.has(vmid))

/**
 * Whether an enabled job includes this guest; undefined if unknown. PVE's own list of guests without a job
 * counts disabled jobs, which back up no guest. It knows the members of pools, which the jobs do not list.
 */
export function isInJob(
  {
    jobs,
    unprotected,
  }: { jobs?: readonly BackupJob[] | undefined; unprotected?: ReadonlySet<number> | undefined },
  vmid: number,
  node: string,
): boolean | undefined {
  if (unprotected?.has(vmid)) return false
  if (!jobs) return unprotected && true
  const named = jobs.filter((job) => !job.isPool && includes(job, vmid, node))
  if (named.some(({ isEnabled }) => isEnabled)) return true
  const pools = jobs.filter(({ isPool }) => isPool)
  if (!pools.some(({ isEnabled }) => isEnabled)) return false
  // The guest is in some job. It is in an enabled pool, unless another job may be meant.
  const isElsewhere = named.length > 0 || pools.some(({ isEnabled }) => !isEnabled)
  return unprotected && !isElsewhere ? true : undefined
}
