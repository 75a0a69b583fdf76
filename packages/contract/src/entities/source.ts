import * as z from 'zod/mini'
import { EpochMs } from './common.ts'

/** Something of a source that cannot be read, while the rest of it can. */
export const Unreadable = z.object({
  /** `datastore main`, `namespace main/team`, `sync jobs`, `node mail2`, … */
  what: z.string(),
  error: z.string(),
  /** what the account lacks, where that is known */
  right: z.optional(z.string()),
  /** since when it is so */
  since: EpochMs,
})
export type Unreadable = z.infer<typeof Unreadable>

/** A first look at many things, which takes a while. */
export const Reading = z.object({
  /** `guest snapshots` */
  what: z.string(),
  /** how many were asked, and of how many that can be */
  done: z.number(),
  of: z.number(),
})
export type Reading = z.infer<typeof Reading>

/** How a source is doing that is asked or reports; its id is that of the connection or agent. */
export const SourceState = z.object({
  /** the bare instance name, or with the prefix of its kind: the key used in connectionHealth */
  name: z.string(),
  kind: z.enum(['pve', 'pbs', 'pmg', 'docker']),
  health: z.enum(['healthy', 'degraded', 'error', 'unknown']),
  /** when it last answered */
  lastSeen: z.optional(EpochMs),
  /** when it last reported the state of everything it has; absent: it does so whenever it answers */
  listedAt: z.optional(EpochMs),
  /** what went wrong since the last success */
  error: z.optional(z.string()),
  /** what is old or missing although it answers; the first twenty */
  unreadable: z.optional(z.array(Unreadable)),
  /** what of it is not asked for: the switches of the connection that are off; `backupPolling` of the settings */
  switchedOff: z.optional(z.array(z.string())),
  /** what is being read for the first time; absent once it was */
  reading: z.optional(z.array(Reading)),
  /** It answers, but not to us: its certificate or our account is not accepted. */
  refused: z.optional(z.boolean()),
  /** It is refused for its certificate: self-signed, expired, for another name, or not the one that is pinned. */
  untrusted: z.optional(z.boolean()),
  /** set while nothing fresh comes from it: when its figures were last right */
  staleSince: z.optional(EpochMs),
})
export type SourceState = z.infer<typeof SourceState>
