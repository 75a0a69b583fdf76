import type { BackupServer } from '../pbs/vault.ts'
import { queueNames } from '../pmg/gateway.ts'
import type { MailGateway, QueueName } from '../pmg/gateway.ts'
import { aNumber, aText, anInteger, check, ControlError, orNull } from './check.ts'

export interface DatastorePatch {
  /** Why the datastore cannot be read; `null`: it can. */
  error?: string | null
  /** Bytes; pinned until `null`. */
  used?: number | null
  total?: number | null
}

export interface JobPatch {
  /** Result of its last run; `null`: it never ran. */
  state: string | null
}

export interface QueuePatch {
  /** The other figures are derived from it; `null` restores the queue. */
  total: number
  perMinute?: number
  oldestMinutes?: number
}

export function patchDatastores(server: BackupServer, patches: Record<string, unknown>): void {
  for (const [name, given] of Object.entries(patches)) {
    const datastore = server.datastores.find((one) => one.name === name)
    if (!datastore) throw new ControlError(404, `no datastore ${name} on ${server.name}`)
    const patch = check<DatastorePatch>('datastore', given, {
      error: orNull(aText),
      used: orNull(anInteger(0)),
      total: orNull(anInteger(0)),
    })
    const { pins } = datastore
    set(pins, 'error', patch.error)
    set(pins, 'usedBytes', patch.used)
    set(pins, 'totalBytes', patch.total)
  }
}

export function patchJobs(server: BackupServer, patches: Record<string, unknown>): void {
  for (const [id, given] of Object.entries(patches)) {
    const job = server.jobs.find((one) => one.id === id)
    const known = server.jobs.map((one) => one.id).join(', ')
    if (!job) throw new ControlError(404, `no job ${id} on ${server.name}; there is ${known}`)
    job.pinned = check<JobPatch>('job', given, { state: orNull(aText) }).state
  }
}

export function patchQueues(gateway: MailGateway, patches: Record<string, unknown>, nowMs: number): void {
  for (const [name, given] of Object.entries(patches)) {
    if (!queueNames.includes(name as QueueName)) {
      throw new ControlError(404, `no queue ${name}; there is ${queueNames.join(', ')}`)
    }
    if (given === null) {
      gateway.queues.delete(name as QueueName)
      continue
    }
    const {
      total,
      perMinute = 0,
      oldestMinutes = 30,
    } = check<QueuePatch>('queue', given, {
      total: anInteger(0, 1_000_000),
      perMinute: aNumber(0, 100_000),
      oldestMinutes: aNumber(0, 100_000),
    })
    gateway.queues.set(name as QueueName, { sinceMs: nowMs, total: total ?? 0, perMinute, oldestMinutes })
  }
}

export function unpinServer(server: BackupServer): void {
  for (const datastore of server.datastores) datastore.pins = {}
  for (const job of server.jobs) delete job.pinned
}

function set<T, K extends keyof T>(target: T, name: K, value: T[K] | null | undefined): void {
  if (value === null) delete target[name]
  else if (value !== undefined) target[name] = value
}
