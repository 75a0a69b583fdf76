import * as z from 'zod/mini'
import {
  bytes,
  flag,
  nameList,
  nodeName,
  num,
  text,
  tolerant,
  tolerantObject,
  toNumber,
} from '../proxmox/schema.ts'
import { vmid } from './schema.ts'

const anyText = z.string().check(z.minLength(1), z.maxLength(1_000))
/** Seconds since 1970, within the range of a Date. */
const latestSeconds = 8.64e12
const seconds = tolerant((value) => {
  const at = toNumber(value)
  return at !== undefined && at > 0 && at < latestSeconds ? at : undefined
})
const moment = z.pipe(
  z.pipe(z.unknown(), z.transform(toNumber)),
  z.number().check(z.gt(0), z.lt(latestSeconds)),
)

/** A volume of a storage that holds a backup. */
export const PveBackupVolume = z.object({
  volid: anyText,
  content: z.optional(z.literal('backup')),
  format: text,
  subtype: text,
  vmid: tolerant((value) => toNumber(value) ?? 0),
  ctime: moment,
  /** absent during an unfinished write to a backup server */
  size: bytes,
  /** used by PVE 9 where the exact size would need another query */
  'approximate-size': bytes,
  notes: text,
  protected: flag,
  /** "1", or the fingerprint of the key */
  encrypted: text,
  verification: tolerantObject(z.object({ state: text })),
})
export type PveBackupVolume = z.infer<typeof PveBackupVolume>

export const PveTask = z.object({
  upid: anyText,
  node: nodeName,
  type: text,
  /** the guest's number for a task of one guest; empty for a run over several */
  id: text,
  starttime: moment,
  endtime: seconds,
  status: text,
})
export type PveTask = z.infer<typeof PveTask>

export const PveLogLine = z.object({ n: num, t: text })

export const PveSnapshot = z.object({
  name: anyText,
  /** the pseudo entry `current` has none */
  snaptime: moment,
  description: text,
  parent: text,
  vmstate: flag,
})
export type PveSnapshot = z.infer<typeof PveSnapshot>

export const PveUnprotected = z.object({ vmid })

export const PveBackupJob = z.object({
  id: text,
  type: text,
  enabled: flag,
  all: flag,
  /** of guests */
  vmid: nameList,
  exclude: nameList,
  pool: text,
  node: text,
})
export type PveBackupJob = z.infer<typeof PveBackupJob>

export const PveReplication = z.object({
  id: anyText,
  guest: vmid,
  target: nodeName,
  schedule: text,
  disable: flag,
  /** 0 if there was none */
  last_sync: seconds,
  last_try: seconds,
  next_sync: seconds,
  duration: num,
  fail_count: num,
  error: text,
})
export type PveReplication = z.infer<typeof PveReplication>
