import type { AgentState, Fate, GuestKind, GuestStatus } from '../estate/estate.ts'
import { firstVmid } from '../estate/guest.ts'
import { filesystemKinds } from '../pve/filesystems.ts'
import { aFlag, anInteger, anObject, aNumber, aText, oneOf, orNull, type Rule } from './check.ts'

/** Figures stay pinned until `null`; other changes are permanent. */
export interface GuestPatch {
  /** Fraction of the guest's cores. */
  cpu?: number | null
  /** Bytes. */
  memUsed?: number | null
  /** Bytes of page cache in `memUsed`. */
  memCached?: number | null
  /** Bytes, on the root filesystem. */
  diskUsed?: number | null
  /** Bytes per second. */
  netInRate?: number | null
  netOutRate?: number | null
  diskReadRate?: number | null
  diskWriteRate?: number | null
  status?: GuestStatus
  /** Seconds; the counters restart with it. */
  uptime?: number
  name?: string | null
  tags?: string | null
  lock?: string | null
  pool?: string | null
  template?: boolean
  agent?: AgentState
  /** The agent's report: one of the kinds that the error text lists. */
  filesystems?: string
  cores?: number
  maxMem?: number
  maxDisk?: number
  snapshots?: number
  /** The irregularity of its backups; `null` restores the original. */
  backup?: Fate | null
}

export interface NewGuest extends GuestPatch {
  vmid?: number
  kind?: GuestKind
  node?: string
}

export const patchRules: Record<keyof GuestPatch, Rule> = {
  cpu: orNull(aNumber(0, 1024)),
  memUsed: orNull(anInteger(0)),
  memCached: orNull(anInteger(0)),
  diskUsed: orNull(anInteger(0)),
  netInRate: orNull(aNumber(0)),
  netOutRate: orNull(aNumber(0)),
  diskReadRate: orNull(aNumber(0)),
  diskWriteRate: orNull(aNumber(0)),
  status: oneOf('running', 'stopped', 'paused'),
  uptime: anInteger(0),
  name: orNull(aText),
  tags: orNull(aText),
  lock: orNull(aText),
  pool: orNull(aText),
  template: aFlag,
  agent: oneOf('none', 'disabled', 'running', 'dead', 'hang'),
  filesystems: oneOf(...filesystemKinds),
  cores: anInteger(1, 1024),
  maxMem: anInteger(16 * 1024 * 1024),
  maxDisk: anInteger(0),
  snapshots: anInteger(0, 1000),
  backup: orNull(anObject),
}

export const fateRules: Record<keyof Fate, Rule> = {
  none: aFlag,
  staleDays: anInteger(0, 3650),
  verification: oneOf('ok', 'failed', 'none'),
  fails: aText,
}

export const newGuestRules: Record<keyof NewGuest, Rule> = {
  ...patchRules,
  vmid: anInteger(firstVmid, 999_999_999),
  kind: oneOf('qemu', 'lxc'),
  node: aText,
}
