import { expect, test } from 'vitest'
import { isInJob, toJob } from './backup-jobs.ts'
import { PveBackupJob } from './schema-backups.ts'

const job = (fields: object) => toJob(PveBackupJob.parse({ type: 'vzdump', enabled: 1, ...fields }))
const noGuest = new Set<number>()

test.each<[string, object[], ReadonlySet<number> | undefined, boolean | undefined]>([
  ['named by a job', [{ vmid: '99,100' }], noGuest, true],
  [
    'named by a job of hundreds',
    [{ vmid: [...Array(900).keys()].map((n) => 999 - n).join() }],
    noGuest,
    true,
  ],
  ['named by a job of its own', [{ vmid: 100 }], noGuest, true],
  ['in a job for all', [{ all: 1, exclude: '101' }], noGuest, true],
  ['left out of a job for all', [{ all: 1, exclude: '100' }], undefined, false],
  ['named by a job that is switched off, which PVE counts', [{ vmid: '100', enabled: 0 }], noGuest, false],
  ['named by a job of another node', [{ all: 1, node: 'pve2' }], noGuest, false],
  ['in no job by PVE’s own word', [{ pool: 'prod' }], new Set([100]), false],
  ['in a job, and only a pool can be meant', [{ pool: 'prod' }], noGuest, true],
  [
    'in a pool or a job that is off: unknown',
    [{ pool: 'prod' }, { vmid: '100', enabled: 0 }],
    noGuest,
    undefined,
  ],
  ['in a pool, perhaps: PVE’s own word is not known', [{ pool: 'prod' }], undefined, undefined],
  ['where there are no jobs', [], undefined, false],
])('a guest %s', (_what, jobs, unprotected, expected) => {
  expect(isInJob({ jobs: jobs.map(job), unprotected }, 100, 'pve1')).toBe(expected)
})

test('where the jobs may not be read PVE’s own word counts, and where nothing may, nothing is known', () => {
  expect(isInJob({ unprotected: noGuest }, 100, 'pve1')).toBe(true)
  expect(isInJob({}, 100, 'pve1')).toBeUndefined()
})
