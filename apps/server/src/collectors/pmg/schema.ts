import * as z from 'zod/mini'
import { bytes, nodeName, num, text, tolerant, toNumber, toText, uptime } from '../proxmox/schema.ts'

export const PmgNode = z.object({ node: nodeName })
export const PmgMember = z.object({ name: text, type: text, conn_error: text })

const loads = tolerant((value) =>
  Array.isArray(value) ? value.flatMap((load) => toText(load) ?? []).slice(0, 3) : undefined,
)

/** A member of a cluster, or the single gateway. A member that cannot be reached lacks its own data. */
export const PmgClusterMember = z.object({
  name: nodeName,
  type: text,
  fingerprint: text,
  conn_error: text,
  uptime,
  loadavg: loads,
})
export type PmgClusterMember = z.infer<typeof PmgClusterMember>

/** Sums of the database are sometimes texts. */
const count = bytes

/** Whole local days. `spamcount_in` is mail that was read and found to be spam, a part of `junk_in`. */
export const PmgMail = z.object({ count_in: count, spamcount_in: count, glcount: count, junk_in: count })
export type PmgMail = z.infer<typeof PmgMail>

/** One hour. `spamcount_in` includes mail rejected unread: greylisted, SPF, blocklists, pregreet. */
export const PmgMailCount = z.object({
  index: count,
  time: z.number(),
  count: count,
  count_in: count,
  count_out: count,
  spamcount_in: count,
  spamcount_out: count,
  viruscount_in: count,
  viruscount_out: count,
  bounces_in: count,
  bounces_out: count,
  rbl_rejects: count,
  pregreet_rejects: count,
})
export type PmgMailCount = z.infer<typeof PmgMailCount>

/** A section of the last hours, relative to now. `ptimesum` is in seconds. */
export const PmgRecent = z.object({ count: count, bytes_in: count, bytes_out: count, ptimesum: count })
export type PmgRecent = z.infer<typeof PmgRecent>

/** Level 0 is the rest of the incoming mail. Releases before 9.1 counted it below zero. */
export const PmgSpamScore = z.object({ level: text, count: num })
export type PmgSpamScore = z.infer<typeof PmgSpamScore>

export const PmgQuarantine = z.object({ count: count })

export const PmgDomain = z.object({
  domain: z.string().check(z.minLength(1), z.maxLength(253)),
  count_in: count,
  count_out: count,
  spamcount_in: count,
  viruscount_in: count,
  bytes_in: count,
  bytes_out: count,
})
export type PmgDomain = z.infer<typeof PmgDomain>

/** The brackets of queued mail by age, in minutes: each bracket reaches from the previous age to its own. */
export const queueAges = [5, 10, 20, 40, 80, 160, 320, 640, 1280] as const
const oldest = '1280m+'

export interface PmgQueueShape {
  domain: string
  total: number
  /** by bracket; the last one has all older mail */
  ages: number[]
}

export const PmgQueueShape = z.pipe(
  z.looseObject({ domain: z.string(), total: num }),
  z.transform((row): PmgQueueShape => ({
    domain: row.domain,
    total: Math.max(0, row.total ?? 0),
    ages: [...queueAges.map((age) => `${age}m`), oldest].map((name) => Math.max(0, toNumber(row[name]) ?? 0)),
  })),
)

export const PmgBackupFile = z.object({
  filename: z.string().check(z.minLength(1), z.maxLength(255)),
  size: bytes,
  timestamp: z.number(),
})
export type PmgBackupFile = z.infer<typeof PmgBackupFile>
