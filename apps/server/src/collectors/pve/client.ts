import { usualLimits, type Limits } from '../proxmox/call.ts'

const MB = 1024 * 1024
/** About 450 bytes a guest. Who has more than 13,000 of them is believed when he says so again. */
export const resourcesBytes = { first: 6 * MB, most: 16 * MB }
/** A dead NFS mount holds the answer up for a minute and does no other harm. */
export const storageLimits: Limits = { ...usualLimits, headersMs: 60_000, totalMs: 65_000 }
/** Thousands of backups, which a backup server looks up for seconds: about 300 bytes each. */
export const contentLimits: Limits = { ...usualLimits, headersMs: 60_000, totalMs: 65_000, maxBytes: 24 * MB }
