import * as z from 'zod/mini'
import { EpochMs } from './common.ts'

/** A part of a source that cannot be read while the rest can. */
export const Unreadable = z.object({
  /** `datastore main`, `namespace main/team`, `sync jobs`, `node mail2`, … */
  what: z.string(),
  error: z.string(),
  /** the permission that the account lacks, if known */
  right: z.optional(z.string()),
  /** start of the failure */
  since: EpochMs,
})
export type Unreadable = z.infer<typeof Unreadable>

/** Progress of a first read that takes a while. */
export const Reading = z.object({
  /** `guest snapshots` */
  what: z.string(),
  /** done and total */
  done: z.number(),
  of: z.number(),
})
export type Reading = z.infer<typeof Reading>

/** State of a source that is polled or reports. Its id is the id of the connection or agent. */
export const SourceState = z.object({
  /** the key in connectionHealth: the instance name, for some kinds with a prefix */
  name: z.string(),
  kind: z.enum(['pve', 'pbs', 'pmg', 'docker']),
  health: z.enum(['healthy', 'degraded', 'error', 'unknown']),
  /** the place whose collectors poll it; absent: the main site, and agents */
  site: z.optional(z.string()),
  /** Nothing arrives from its site since then, so it is not known whether the source answers. */
  siteUnreachableSince: z.optional(EpochMs),
  /** last answer */
  lastSeen: z.optional(EpochMs),
  /** last complete report of all its resources; absent: every answer is complete */
  listedAt: z.optional(EpochMs),
  /** last error since the last success */
  error: z.optional(z.string()),
  /** stale or missing items, although the source answers; at most twenty */
  unreadable: z.optional(z.array(Unreadable)),
  /** data that is not polled: the connection's disabled switches, and `backupPolling` of the settings */
  switchedOff: z.optional(z.array(z.string())),
  /** first reads in progress */
  reading: z.optional(z.array(Reading)),
  /** The source answers, but its certificate or our account is not accepted. */
  refused: z.optional(z.boolean()),
  /** The certificate is refused: self-signed, expired, for another name, or not the pinned one. */
  untrusted: z.optional(z.boolean()),
  /** time when its figures were last right, set while the source sends no fresh data */
  staleSince: z.optional(EpochMs),
})
export type SourceState = z.infer<typeof SourceState>
