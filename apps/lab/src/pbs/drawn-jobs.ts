import { fraction } from '../random.ts'

export type JobKind = 'sync' | 'verify' | 'prune'

export interface Job {
  kind: JobKind
  id: string
  store: string
  schedule: string
  everyDays: number
  /** Seconds after midnight. */
  at: number
  /** Further configured fields. */
  config: Readonly<Record<string, unknown>>
  /** The job also needs `Remote.Audit` on this remote. */
  remote?: string
  disabled?: true
  /** Result of the last run, if it failed. */
  state?: string
  /** The result set by the control API; `null`: the job never ran. */
  pinned?: string | null
}

/** Every server verifies and prunes; all except the first sync from the first. */
export function drawJobs(seed: number, index: number, major: number): Job[] {
  const hour = 3600
  const jobs: Job[] = [
    {
      kind: 'verify',
      id: 'v-main-daily',
      store: 'main',
      schedule: '06:00',
      everyDays: 1,
      at: 6 * hour,
      config: { 'ignore-verified': true, 'outdated-after': 30, ...(major >= 3 && { ns: '' }) },
    },
    {
      kind: 'verify',
      id: 'v-offsite-weekly',
      store: 'offsite',
      schedule: 'sat 08:00',
      everyDays: 7,
      at: 8 * hour,
      config: { 'ignore-verified': true, 'outdated-after': 90 },
    },
    {
      kind: 'prune',
      id: 's-main-keep',
      store: 'main',
      schedule: '05:00',
      everyDays: 1,
      at: 5 * hour,
      config: { 'keep-last': 3, 'keep-daily': 7, 'keep-weekly': 4, 'max-depth': 7 },
    },
    {
      kind: 'prune',
      id: 's-offsite-keep',
      store: 'offsite',
      schedule: 'weekly',
      everyDays: 7,
      at: 0,
      config: { 'keep-monthly': 12 },
      disabled: true,
    },
  ]
  if (index > 0) {
    jobs.push({
      kind: 'sync',
      id: 's-pull-main',
      store: 'main',
      schedule: '11:00',
      everyDays: 1,
      at: 11 * hour,
      remote: 'pbs1',
      config: {
        remote: 'pbs1',
        'remote-store': 'main',
        ns: 'copies',
        owner: 'sync@pbs',
        'remove-vanished': false,
      },
    })
  } else {
    jobs.push({
      kind: 'sync',
      id: 's-local-copy',
      store: 'offsite',
      schedule: 'sun 12:00',
      everyDays: 7,
      at: 12 * hour,
      config: { 'remote-store': 'main', owner: 'root@pam', 'max-depth': 1, comment: 'to the other building' },
      ...(fraction(seed, 5) < 0.5 && { state: 'WARNINGS: 1' }),
    })
    if (major >= 4) {
      jobs.push({
        kind: 'sync',
        id: 's-push-cloud',
        store: 'main',
        schedule: '14:30',
        everyDays: 1,
        at: 14.5 * hour,
        remote: 'cloud',
        config: { remote: 'cloud', 'remote-store': 'acme', 'sync-direction': 'push', ns: '' },
      })
    }
  }
  return jobs
}
