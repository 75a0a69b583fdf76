import * as z from 'zod/mini'
import {
  bytes,
  cutText,
  flag,
  num,
  text,
  tolerant,
  tolerantList,
  tolerantObject,
  toNumber,
} from '../proxmox/schema.ts'

const name = z.string().check(z.minLength(1), z.maxLength(300))

export const PveZfsPool = z.object({ name, health: text, size: bytes, alloc: bytes, free: bytes })
export type PveZfsPool = z.infer<typeof PveZfsPool>

export interface PveZfsVdev {
  name?: string | undefined
  state?: string | undefined
  read: number
  write: number
  cksum: number
  msg?: string | undefined
  children: PveZfsVdev[]
}

/** No real tree is deeper, even `raidz2` with mirrors and active spares. */
const deepest = 8

/** Groups of logs, caches and spares lack state and counters. Counters may also be texts or invalid. */
function toVdev(value: unknown, depth = 0): PveZfsVdev[] {
  const read = vdev.safeParse(value)
  if (!read.success || depth > deepest) return []
  const { children = [], read: reads = 0, write = 0, cksum = 0, ...rest } = read.data
  return [{ ...rest, read: reads, write, cksum, children: children.flatMap((one) => toVdev(one, depth + 1)) }]
}

const vdev = z.object({
  name: text,
  state: text,
  read: bytes,
  write: bytes,
  cksum: bytes,
  msg: text,
  children: tolerant((value): unknown[] => (Array.isArray(value) ? value : [])),
})

export const PveZfsDetail = z.object({
  name: text,
  state: text,
  status: text,
  scan: text,
  children: tolerant((value) => (Array.isArray(value) ? value.flatMap((one) => toVdev(one)) : [])),
})
export type PveZfsDetail = z.infer<typeof PveZfsDetail>

/** Remaining life in percent: a number, a numeric text with or without quotes, or a word for unknown. */
const toWearout = (value: unknown): number | undefined =>
  toNumber(typeof value === 'string' ? value.replaceAll(/["\\\s%]/g, '') : value)

export const PveDisk = z.object({
  devpath: name,
  type: text,
  model: text,
  serial: text,
  vendor: text,
  size: bytes,
  health: text,
  wearout: tolerant(toWearout),
  rpm: num,
  used: text,
  by_id_link: text,
  mounted: flag,
})
export type PveDisk = z.infer<typeof PveDisk>

const attribute = z.object({ id: num, name: text, raw: text, value: num, normalized: num })

export const PveSmart = z.object({
  type: text,
  health: text,
  text: tolerant((value) => (typeof value === 'string' ? cutText(value, 20_000) : undefined)),
  wearout: tolerant(toWearout),
  attributes: tolerantList(attribute),
})
export type PveSmart = z.infer<typeof PveSmart>

const check = z.object({ summary: z.object({ message: z.string() }), muted: flag })
const checks = tolerant((value): string[] =>
  Object.values((value ?? {}) as Record<string, unknown>).flatMap((one) => {
    const read = check.safeParse(one)
    return read.success && !read.data.muted ? [cutText(read.data.summary.message, 500)] : []
  }),
)

const counted = tolerant((value) => (Array.isArray(value) ? value.length : toNumber(value)))
const map = z.object({ num_osds: num, num_up_osds: num, num_in_osds: num })

/** The needed part of 0.7 MB. The rest documents module options. */
export const PveCephStatus = z.object({
  fsid: text,
  health: tolerantObject(
    z.object({ status: text, checks, summary: tolerantList(z.object({ summary: text, message: text })) }),
  ),
  osdmap: tolerantObject(z.extend(map, { osdmap: tolerantObject(map) })),
  pgmap: tolerantObject(
    z.object({ bytes_total: bytes, bytes_used: bytes, bytes_avail: bytes, num_pgs: num }),
  ),
  monmap: tolerantObject(z.object({ num_mons: num, mons: counted })),
  quorum_names: counted,
  mgrmap: tolerantObject(
    z.object({ active_name: text, available: flag, standbys: counted, num_standbys: num }),
  ),
  servicemap: tolerantObject(z.object({ services: tolerant((value) => value) })),
})
export type PveCephStatus = z.infer<typeof PveCephStatus>

export const PveCephPool = z.object({
  pool: num,
  pool_name: text,
  bytes_used: bytes,
  /** 0-1 */
  percent_used: num,
  size: num,
})
export type PveCephPool = z.infer<typeof PveCephPool>
