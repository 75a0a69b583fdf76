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
/** Seconds since 1970, of a moment that a date can show. */
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
  /** absent while a backup server is still being written to */
  size: bytes,
  /** PVE 9 has it where the exact size would have to be asked for */
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
  /** of a guest's task its number; empty for a run over several */
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
  /** 0 when there was none */
  last_sync: seconds,
  last_try: seconds,
  next_sync: seconds,
  duration: num,
  fail_count: num,
  error: text,
})
export type PveReplication = z.infer<typeof PveReplication>
