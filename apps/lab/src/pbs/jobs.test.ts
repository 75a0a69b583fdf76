import { expect, test } from 'vitest'
import { aBackupServer } from '../appliance/fixtures.ts'

const noon = Date.parse('2026-07-01T12:00:00Z')
const atNoon = { guests: 12, now: () => noon }
const nowSeconds = noon / 1000

test('[collection 2.3] jobs have their schedule, their next run and how the last one ended', async () => {
  const { list } = await aBackupServer(atNoon)
  const [daily, weekly] = await list('/admin/verify')
  expect(daily).toMatchObject({ id: 'v-main-daily', store: 'main', 'last-run-state': 'OK' })
  expect(daily!['next-run']).toBeGreaterThan(nowSeconds)
  expect(daily!['last-run-endtime']).toBeLessThan(nowSeconds)
  expect(weekly).toMatchObject({ store: 'offsite', 'outdated-after': 90 })
  const [, disabled] = await list('/admin/prune')
  expect(disabled).toMatchObject({ disable: true })
  expect(disabled).not.toHaveProperty('next-run')
  expect(await list('/admin/prune?store=main')).toHaveLength(1)
})

test('[collection 2.3] while a job runs, its last run is the one before', async () => {
  const { lab, list } = await aBackupServer({ guests: 12, now: () => Date.parse('2026-07-01T06:10:00Z') })
  const state = 'verification failed - please check the log for details'
  await lab.control.patchAppliance('pbs1', { jobs: { 'v-main-daily': { state } } })
  const [job] = await list('/admin/verify')
  expect(job).toMatchObject({ 'last-run-state': state })
  expect(job!['last-run-endtime']).toBeLessThan(Date.parse('2026-07-01T00:00:00Z') / 1000)
})

test('a failed job has its error text, there and in the list of tasks', async () => {
  const { lab, list } = await aBackupServer(atNoon)
  const state = 'verification failed - please check the log for details'
  await lab.control.patchAppliance('pbs1', { jobs: { 'v-main-daily': { state } } })
  const [job] = await list('/admin/verify')
  expect(job).toMatchObject({ 'last-run-state': state })
  const [task] = await list('/nodes/localhost/tasks?typefilter=verificationjob&errors=true')
  expect(task).toMatchObject({
    status: state,
    worker_id: 'main:v-main-daily',
    upid: job!['last-run-upid'],
    endtime: job!['last-run-endtime'],
  })
  await lab.control.patchAppliance('pbs1', { jobs: { 'v-main-daily': { state: null } } })
  expect((await list('/admin/verify'))[0]).not.toHaveProperty('last-run-state')
  await expect(lab.control.patchAppliance('pbs1', { jobs: { x: { state: null } } })).rejects.toThrow(
    'no job x on pbs1; there is v-main-daily',
  )
})

test('a failed backup is a failed task, at the same time as in its cluster', async () => {
  const { lab, asker, list } = await aBackupServer({ ...atNoon, guests: 30 })
  const { tokenId, tokenSecret } = lab.credentials
  const headers = { authorization: `PVEAPIToken=${tokenId}=${tokenSecret}` }
  const [failed] = await list('/nodes/localhost/tasks?typefilter=backup&errors=true')
  expect(failed).toMatchObject({
    worker_id: 'main:prod/ct/120',
    status: 'backup ended but finished flag is not set.',
  })
  const { node } = lab.control.guest(120)
  const path = `/nodes/${node}/tasks?typefilter=vzdump&errors=1&vmid=120`
  const answer = await asker.ask(lab.clusters[0]!.nodes[0]!.url, path, { headers })
  expect(answer.data).toContainEqual(expect.objectContaining({ starttime: failed!.starttime }))
})

test('[proxmox-api 4] push jobs are listed on request, jobs with a remote only for accounts that may audit it', async () => {
  const { lab, credentials, list } = await aBackupServer(atNoon)
  const ids = async (path: string) => (await list(path)).map(({ id }) => id)
  expect(await ids('/admin/sync')).toEqual(['s-local-copy'])
  expect(await ids('/admin/sync?sync-direction=all')).toEqual(['s-local-copy', 's-push-cloud'])
  await lab.control.patchAppliance('pbs1', { tokens: { [credentials.tokenId]: { drop: ['Remote.Audit'] } } })
  expect(await ids('/admin/sync?sync-direction=all')).toEqual(['s-local-copy'])
})

test('[proxmox-api 4] tasks are sorted newest first, 50 by default, and can be filtered', async () => {
  const { list } = await aBackupServer({ ...atNoon, guests: 75 })
  const some = await list('/nodes/localhost/tasks')
  expect(some).toHaveLength(50)
  const starts = some.map(({ starttime }) => Number(starttime))
  expect(starts).toEqual(starts.toSorted((left, right) => right - left))
  const all = await list('/nodes/localhost/tasks?limit=0')
  expect(all.length).toBeGreaterThan(100)
  expect(all[0]!.upid).toMatch(/^UPID:pbs1:([0-9A-F]{8}:){4}\w+:[\w.\\-]+:[^:]+:$/)
  const running = await list('/nodes/localhost/tasks?running=true')
  expect(running.map((task) => task.worker_id)).toEqual(['main:prod/vm/116'])
  expect(running[0]).not.toHaveProperty('status')
  const since = nowSeconds - 7200
  expect(
    (await list(`/nodes/localhost/tasks?limit=0&since=${since}`)).every(
      (task) => Number(task.starttime) >= since,
    ),
  ).toBe(true)
  const types = new Set(
    (await list('/nodes/localhost/tasks?limit=0&typefilter=prune')).map((task) => task.worker_type),
  )
  expect(types).toEqual(new Set(['prunejob']))
})
