import * as z from 'zod/mini'
import { endpoint, readsMonitoring } from '../endpoint.ts'
import { EpochMs } from '../entities/common.ts'
import { slices } from '../kinds.ts'

const moment = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(8.64e15))

/**
 * A snapshot as on the compact wire: by kind, the id and the record at each index. Derived fields, such as the free
 * space of a disk, are left out.
 */
export const PastFrame = z.object({
  t: z.literal('snapshot'),
  s: z.enum(slices),
  epoch: z.string(),
  rev: z.number(),
  index: z.record(z.string(), z.array(z.string())),
  state: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
})

/**
 * The estate at one moment: all records with their fields of then, and the last sample of each figure that is at most
 * two minutes old. A figure without such a sample is absent.
 */
export const PastState = z.object({
  at: EpochMs,
  /** the earliest moment that can be asked for */
  oldest: EpochMs,
  /** `off`: Pulse did not run. The records are those of its last minute, without figures. */
  gap: z.optional(z.literal('off')),
  frame: PastFrame,
})
export type PastState = z.infer<typeof PastState>

/** `live` is everything but backups. */
export const getHistoryState = endpoint({
  ...readsMonitoring,
  path: '/api/history/state',
  query: z.strictObject({ at: moment, slice: z.optional(z.enum(slices)) }),
  reply: PastState,
})

const value = z.optional(z.union([z.string(), z.number()]))

/** What can happen to a record. */
export const changeWords = [
  'came',
  'went',
  'moved',
  'started',
  'stopped',
  'restarted',
  'resized',
  'renamed',
  'tagged',
  'converted',
  'failing',
  'status',
  'version',
  'unprotected',
  'backupStarted',
  'backupEnded',
] as const
export type ChangeWord = (typeof changeWords)[number]

/** They happen to every guest every day, so only those who ask for them by name get them. */
export const routineChanges: readonly ChangeWord[] = ['backupStarted', 'backupEnded']

/**
 * What happened to a record. `resized`: `field` is the figure. `version`: `field` is the program. `converted`: a
 * guest became a template. `failing`: a disk reports that it fails. `status`: of a storage, a datastore or a Ceph
 * cluster.
 * `unprotected`: the protection of a guest has the problem that `field` names. `backupStarted`, `backupEnded`: a guest
 * was locked for a backup, and no longer is.
 */
export const HistoryChange = z.object({
  at: EpochMs,
  kind: z.string(),
  id: z.string(),
  /** of then, like the next two */
  name: z.string(),
  /** the node, container host or backup server that it belongs to */
  where: z.optional(z.string()),
  /** of a guest */
  vmid: z.optional(z.number()),
  what: z.enum(changeWords),
  field: z.optional(z.string()),
  from: value,
  to: value,
})
export type HistoryChange = z.infer<typeof HistoryChange>

/** How often something happened to records of a kind. */
export const ChangeCount = z.object({ kind: z.string(), what: z.enum(changeWords), count: z.number() })
export type ChangeCount = z.infer<typeof ChangeCount>

/** Used bytes of a storage or datastore at both ends of the time. */
export const StorageGrowth = z.object({
  kind: z.enum(['storage', 'datastores']),
  id: z.string(),
  name: z.string(),
  /** the node or backup server that it belongs to; absent if it is shared */
  where: z.optional(z.string()),
  from: z.number(),
  to: z.number(),
  /** its size now */
  total: z.optional(z.number()),
})
export type StorageGrowth = z.infer<typeof StorageGrowth>

const list = z.optional(z.string().check(z.minLength(1), z.maxLength(400)))

/**
 * What changed, newest first, in pages. A page may have fewer changes than asked for; only the last page has no
 * `cursor`. The first page also has the storages that grew most, and how many changes there are.
 */
export const getHistoryChanges = endpoint({
  ...readsMonitoring,
  path: '/api/history/changes',
  query: z.strictObject({
    from: moment,
    to: moment,
    /** kinds of records, separated by commas */
    kind: list,
    /** values of `what`, separated by commas; absent: all but `backupStarted` and `backupEnded` */
    what: list,
    /** of one record; needs one `kind` */
    id: z.optional(z.string().check(z.minLength(1), z.maxLength(1_024))),
    /** Which thing the id means: the last one that came to have it before this time. Without it: before `to`. */
    asOf: z.optional(moment),
    /** of the page before */
    cursor: z.optional(z.string().check(z.regex(/^\d{1,15}(?:\.\d{1,9})?$/))),
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500))),
  }),
  reply: z.object({
    /** the server's clock at this answer, which the times of changes are of */
    now: EpochMs,
    /** the earliest moment with records; absent before the first */
    oldest: z.optional(EpochMs),
    changes: z.array(HistoryChange),
    grown: z.optional(z.array(StorageGrowth)),
    /** of all kinds and words */
    counts: z.optional(z.array(ChangeCount)),
    /** there are more than 20,000 changes, and `counts` has the newest of them */
    isCountPartial: z.optional(z.boolean()),
    cursor: z.optional(z.string()),
  }),
})
