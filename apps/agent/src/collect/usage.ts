import { count, fields, list, time } from '../engine/read.ts'

/** Processor time that a container had used at a moment. */
export interface CpuSample {
  /** on a monotonic clock */
  atMs: number
  totalNs: number
  /** processor time of the whole machine, as the engine counts it */
  systemNs: number | undefined
  cores: number
}

/** `cores` of the host is used for engines that do not report the cores of each container. */
export function cpuSample(stats: unknown, atMs: number, cores: number): CpuSample | undefined {
  return sampleOf(fields(stats).cpu_stats, atMs, cores)
}

/**
 * The engine's own previous sample. Docker takes one unless the request asks for one shot; Podman never does.
 */
export function sampleBefore(stats: unknown, atMs: number, cores: number): CpuSample | undefined {
  const { read, preread, precpu_stats } = fields(stats)
  const to = time(read)
  const from = time(preread)
  if (!to || !from) return undefined
  const sample = sampleOf(precpu_stats, atMs - (Date.parse(to) - Date.parse(from)), cores)
  // zeros would give an average over the container's whole life
  return sample && sample.systemNs !== undefined && sample.systemNs > 0 ? sample : undefined
}

function sampleOf(value: unknown, atMs: number, cores: number): CpuSample | undefined {
  const stats = fields(value)
  const usage = fields(stats.cpu_usage)
  const totalNs = count(usage.total_usage)
  if (totalNs === undefined) return undefined
  const own = count(stats.online_cpus) || list(usage.percpu_usage).length || cores
  return { atMs, totalNs, systemNs: count(stats.system_cpu_usage), cores: own }
}

/**
 * Percent of one core, summed over cores, between two samples. Uses the machine's processor time in the
 * samples if it advanced about as fast as the clock; otherwise uses the clock. The two differ after a reset,
 * in system containers that see the time of another machine, and with Podman, which counts only busy time.
 */
export function cpuPercent(before: CpuSample, now: CpuSample): number {
  const wallNs = (now.atMs - before.atMs) * 1e6
  const usedNs = now.totalNs - before.totalNs
  if (wallNs <= 0 || usedNs <= 0) return 0
  const systemNs = (now.systemNs ?? 0) - (before.systemNs ?? 0)
  const speed = systemNs / (wallNs * now.cores)
  const share = speed > 0.75 && speed < 1.25 ? (usedNs / systemNs) * now.cores : usedNs / wallNs
  // readings from slightly different moments may exceed all cores
  return Math.min(share, now.cores) * 100
}

export interface MemoryUse {
  usedBytes: number
  limitBytes: number
}

/**
 * Memory without inactive file pages, as `docker stats` counts it. cgroup v1 calls them `total_inactive_file`, v2
 * `inactive_file`; Podman does not report them.
 */
export function memoryUse(stats: unknown, hostBytes: number | undefined): MemoryUse | undefined {
  const memory = fields(fields(stats).memory_stats)
  const usage = count(memory.usage)
  if (usage === undefined) return undefined
  const parts = fields(memory.stats)
  const inactive = count(parts.total_inactive_file) ?? count(parts.inactive_file) ?? 0
  const limit = count(memory.limit)
  // without a limit cgroup v1 reports 2^63, and some engines report nothing
  const isLimited = limit !== undefined && limit > 0 && (hostBytes === undefined || limit < hostBytes)
  return {
    usedBytes: inactive < usage ? usage - inactive : usage,
    limitBytes: isLimited ? limit : (hostBytes ?? 0),
  }
}
