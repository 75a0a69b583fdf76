import { count, fields } from '../engine/read.ts'

export interface MemoryUse {
  usedBytes: number
  limitBytes: number
}

/**
 * What a container cannot do without: file pages that nobody used of late are left out, as `docker stats` does. They are
 * called `total_inactive_file` by cgroup v1, `inactive_file` by v2, and Podman does not tell of them.
 */
export function memoryUse(stats: unknown, hostBytes: number | undefined): MemoryUse | undefined {
  const memory = fields(fields(stats).memory_stats)
  const usage = count(memory.usage)
  if (usage === undefined) return undefined
  const parts = fields(memory.stats)
  const inactive = count(parts.total_inactive_file) ?? count(parts.inactive_file) ?? 0
  const limit = count(memory.limit)
  // without a limit cgroup v1 says 2^63, and some engines nothing
  const isLimited = limit !== undefined && limit > 0 && (hostBytes === undefined || limit < hostBytes)
  return {
    usedBytes: inactive < usage ? usage - inactive : usage,
    limitBytes: isLimited ? limit : (hostBytes ?? 0),
  }
}
