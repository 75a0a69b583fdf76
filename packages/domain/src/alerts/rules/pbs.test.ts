import type { Datastore, PbsServer } from '@pulse/contract'
import { aPbsServer } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { anEngine } from '../fixtures.ts'

const pbs = { kind: 'pbs', name: 'pbs-backup' } as const
const after = (change: Partial<PbsServer>) => {
  const all = anEngine()
  all.tell('backup', { pbs: [aPbsServer(change)] }, pbs)
  return all
}
const verify = (status: string, error?: string) => ({
  verifyJobs: [{ id: 'v-1', store: 'main', status, ...(error !== undefined && { error }) }],
})
const JOB = 'pbs-job-failed-backup:verify:v-1'

test('a failed job fires with its error until a run succeeds', () => {
  const { tell, alert, open } = after(verify('failed', 'chunk missing'))
  expect(alert(JOB)).toMatchObject({
    type: 'pbs-job-failed',
    level: 'warning',
    message: 'Verification job v-1 of datastore main on backup failed: chunk missing',
    metadata: { job: 'v-1', jobType: 'verify', datastore: 'main', resourceType: 'PBS' },
  })
  tell('backup', { pbs: [aPbsServer(verify('running'))] }, pbs)
  expect(open()).toEqual([JOB])
  tell('backup', { pbs: [aPbsServer(verify('ok'))] }, pbs)
  expect(open()).toEqual([])
})

test('removing a job ends its alert; a job with warnings has none', () => {
  const { tell, open } = after(verify('failed'))
  tell('backup', { pbs: [aPbsServer({})] }, pbs)
  expect(open()).toEqual([])
  expect(after(verify('warning')).open()).toEqual([])
})

const datastore = (change: Partial<Datastore>): { datastores: Datastore[] } => ({
  datastores: [
    { server: 'pbs-backup', name: 'main', status: 'available', source: 'backup', usage: 50, ...change },
  ],
})
const stored = (change: Partial<Datastore>) => {
  const all = anEngine()
  all.tell('backup', { pbs: [aPbsServer()], ...datastore(change) }, pbs)
  all.poll('backup', {}, pbs)
  return all
}

test('[spec 3 §9] a datastore is judged like storage: usage and availability', () => {
  expect(stored({ usage: 85 }).alert('backup:main-usage')).toMatchObject({
    resourceId: 'pbs-backup-main',
    instance: 'backup',
    threshold: 85,
  })
  expect(stored({ usage: 84 }).open()).toEqual([])
  expect(stored({ status: 'unmounted', staleSince: 1 }).open()).toEqual(['storage-offline-backup:main'])
  expect(stored({ status: 'maintenance', staleSince: 1 }).open()).toEqual([])
  expect(stored({ status: 'denied', staleSince: 1 }).open()).toEqual([])
})
