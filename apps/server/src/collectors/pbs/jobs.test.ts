import { describe, expect, test } from 'vitest'
import { refusal } from '../proxmox/fixtures-host.ts'
import { aTask, failedTasksPath, givenServer, seconds } from './fixtures-server.ts'

const iso = (at: number) => new Date(at * 1000).toISOString()

describe('jobs', () => {
  test('[facts 2.3] each with its last run, its next, and what went wrong', async () => {
    const { pass, records } = givenServer()
    await pass(5)
    const { syncJobs, verifyJobs, pruneJobs, garbageJobs } = records('pbs')[0]!
    expect(syncJobs).toEqual([
      {
        id: 's-1',
        store: 'main',
        namespace: 'team',
        remote: 'other',
        remoteStore: 'theirs',
        schedule: 'hourly',
        status: 'failed',
        error: 'connection refused',
        lastSync: iso(seconds),
        nextRun: iso(seconds + 3_600),
      },
    ])
    expect(verifyJobs).toEqual([
      { id: 'v-1', store: 'main', status: 'warning', error: 'WARNINGS: 2', lastVerify: iso(seconds) },
      { id: 'v-2', store: 'main', status: 'running' },
      { id: 'v-3', store: 'offsite', status: 'unknown' },
    ])
    expect(pruneJobs).toEqual([
      { id: 'p-1', store: 'main', status: 'disabled' },
      { id: 'p-2', store: 'main', status: 'ok', lastPrune: iso(seconds) },
    ])
    expect(garbageJobs).toEqual([
      {
        id: 'main',
        store: 'main',
        status: 'ok',
        schedule: 'daily',
        lastGarbage: iso(seconds),
        nextRun: iso(seconds + 86_400),
        removedBytes: 8_123,
        pendingBytes: 7,
        durationSeconds: 142,
      },
      { id: 'offsite', store: 'offsite', status: 'unknown' },
    ])
  })

  test('[proxmox-api 4] a server that refuses to be asked for all directions is asked without', async () => {
    const { pass, asked, records } = givenServer({
      '/admin/sync?sync-direction=all': refusal('server', '400 parameter verification errors'),
      '/admin/sync': [{ id: 's-2', store: 'main', 'sync-direction': 'pull' }],
    })
    await pass(150)
    expect(records('pbs')[0]!.syncJobs).toMatchObject([{ id: 's-2', direction: 'pull' }])
    expect(asked.filter((path) => path.includes('sync-direction'))).toHaveLength(1)
  })

  test('one list that cannot be read leaves the others alone, keeps its rows and says so', async () => {
    const { pass, answers, records, state } = givenServer()
    await pass(5)
    answers['/admin/verify'] = refusal('timeout', 'no answer in time')
    await pass(120)
    expect(records('pbs')[0]!.verifyJobs).toHaveLength(3)
    expect(state().unreadable).toMatchObject([{ what: 'verify jobs', error: 'no answer in time' }])
    answers['/admin/verify'] = []
    await pass(300)
    expect(records('pbs')[0]!.verifyJobs).toEqual([])
    expect(state()).not.toHaveProperty('unreadable')
  })
})

test('what failed on the server lately is shown with its error, warnings are not', async () => {
  const { pass, records } = givenServer({
    [failedTasksPath]: [
      aTask('backup', 'main:vm/100', { status: 'ENOSPC', endtime: seconds + 60 }),
      aTask('verificationjob', 'main:v-1', { status: 'WARNINGS: 2', endtime: seconds + 60 }),
    ],
  })
  await pass(5)
  expect(records('pbs')[0]!.failedTasks).toEqual([
    {
      id: expect.stringMatching(/^UPID/),
      type: 'backup',
      store: 'main',
      subject: 'main:vm/100',
      startTime: iso(seconds),
      endTime: iso(seconds + 60),
      error: 'ENOSPC',
    },
  ])
})

test('a failed run of a job is reported once, by the job; without the job, and of earlier runs, by the task', async () => {
  const last = aTask('syncjob', 'main:s-1', { status: 'connection refused', endtime: seconds })
  const earlier = {
    ...last,
    upid: `${last.upid}earlier:`,
    starttime: seconds - 3_600,
    endtime: seconds - 3_500,
  }
  const job = {
    id: 's-1',
    store: 'main',
    'last-run-state': 'connection refused',
    'last-run-upid': last.upid,
    'last-run-endtime': seconds,
  }
  const { answers, pass, records, running } = givenServer({
    [failedTasksPath]: [last, earlier],
    '/admin/sync?sync-direction=all': [job],
  })
  const tasks = () => records('pbs')[0]!.failedTasks.map(({ id }) => id)
  await pass(5)
  expect(records('pbs')[0]!.syncJobs[0]).toMatchObject({ status: 'failed', error: 'connection refused' })
  expect(tasks()).toEqual([earlier.upid])
  // While the job runs again, its earlier failure is reported as a task.
  answers['/admin/sync?sync-direction=all'] = [{ id: 's-1', store: 'main', 'last-run-upid': 'UPID:now' }]
  await pass(90)
  expect(tasks()).toEqual([last.upid, earlier.upid])
  answers['/admin/sync?sync-direction=all'] = [job]
  await pass(90)
  expect(tasks()).toEqual([earlier.upid])
  running.apply({ name: 'main', flags: { monitorSyncJobs: false } })
  await pass(90)
  expect(tasks()).toEqual([last.upid, earlier.upid])
})
