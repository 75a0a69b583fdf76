import { count, fields, list, time } from '../engine/read.ts'

/** What a container had used of the processors by a moment. */
export interface CpuSample {
  /** on a clock that no one sets */
  atMs: number
  totalNs: number
  /** of the whole machine, in a unit of the engine's choice */
  systemNs: number | undefined
  cores: number
}

/** `cores` is what the host has, for engines that do not say it with each container. */
export function cpuSample(stats: unknown, atMs: number, cores: number): CpuSample | undefined {
  return sampleOf(fields(stats).cpu_stats, atMs, cores)
}

/** The sample before, as the engine took it: Docker takes one when it is not asked for one shot, Podman never does. */
export function sampleBefore(stats: unknown, atMs: number, cores: number): CpuSample | undefined {
  const { read, preread, precpu_stats } = fields(stats)
  const to = time(read)
  const from = time(preread)
  if (!to || !from) return undefined
  const sample = sampleOf(precpu_stats, atMs - (Date.parse(to) - Date.parse(from)), cores)
  // all zero, it would stand for a time long ago and make an average of the container's whole life
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
 * Percent of one core, summed over cores, between two samples. The machine's time is the measure as long as it passes as
 * fast as that of all cores together: it stands in the sample itself. After a reset, in system containers that are shown
 * another machine's time, and with Podman, which counts busy time only, it does not, and the clock is the measure.
 */
export function cpuPercent(before: CpuSample, now: CpuSample): number {
  const wallNs = (now.atMs - before.atMs) * 1e6
  const usedNs = now.totalNs - before.totalNs
  if (wallNs <= 0 || usedNs <= 0) return 0
  const systemNs = (now.systemNs ?? 0) - (before.systemNs ?? 0)
  const pace = systemNs / (wallNs * now.cores)
  const share = pace > 0.75 && pace < 1.25 ? (usedNs / systemNs) * now.cores : usedNs / wallNs
  // two readings a moment apart may add up to more than there is
  return Math.min(share, now.cores) * 100
}
