import * as z from 'zod/mini'
import { bytes, nodeName, num, text, tolerant, tolerantObject, uptime } from '../proxmox/schema.ts'

export const PbsNode = z.object({ node: nodeName })

/** Names become parts of paths and keys, so they are validated. */
const name = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,62}$/
const store = z.string().check(z.regex(name))
export const PbsDatastore = z.object({ store, comment: text })

export const PbsNodeStatus = z.object({
  cpu: num,
  memory: tolerantObject(z.object({ total: bytes, used: bytes })),
  uptime,
})
export type PbsNodeStatus = z.infer<typeof PbsNodeStatus>

/** The result of the last garbage collection. Before the first one, all values are 0 and `upid` is absent. */
const garbage = {
  'index-data-bytes': bytes,
  'disk-bytes': bytes,
  'removed-bytes': bytes,
  'pending-bytes': bytes,
  upid: text,
}

/** The capacity of a datastore. Only the name is present if the account may not see more. */
export const PbsUsage = z.object({
  store,
  total: num,
  used: num,
  avail: num,
  error: text,
  'mount-status': text,
  'estimated-full-date': num,
  'gc-status': tolerantObject(z.object(garbage)),
})
export type PbsUsage = z.infer<typeof PbsUsage>

/** The state of a job of any kind. */
const schedule = {
  schedule: text,
  'next-run': num,
  'last-run-state': text,
  'last-run-upid': text,
  'last-run-endtime': num,
}

export const PbsGarbage = z.object({ ...schedule, ...garbage, duration: num })
export type PbsGarbage = z.infer<typeof PbsGarbage>
export const PbsStoreGarbage = z.object({ ...PbsGarbage.shape, store })

export const PbsJob = z.object({
  ...schedule,
  id: z.string().check(z.minLength(1), z.maxLength(128)),
  store,
  ns: text,
  disable: tolerant((value) => value === true || value === 1 || value === '1'),
  remote: text,
  'remote-store': text,
  'sync-direction': text,
})
export type PbsJob = z.infer<typeof PbsJob>

export const PbsTask = z.object({
  upid: z.string().check(z.minLength(1), z.maxLength(1_000)),
  worker_type: z.string().check(z.maxLength(64)),
  worker_id: text,
  starttime: z.number(),
  endtime: num,
  status: text,
})
export type PbsTask = z.infer<typeof PbsTask>

const deepest = 8
/** `team/prod`; empty for the root. */
export const PbsNamespace = z.object({
  ns: z.string().check(
    z.refine((path) => {
      const steps = path === '' ? [] : path.split('/')
      return steps.length <= deepest && steps.every((step) => name.test(step))
    }),
  ),
})
