import type { NodeTemperature } from '@pulse/contract'
import type { SensorsReading } from './sensors.ts'

/** The lowest and the highest since Pulse was started. */
export interface Extremes {
  min: { temp: number; at: number }
  max: { temp: number; at: number }
}

export function withReading(
  known: Extremes | undefined,
  reading: SensorsReading,
  at: number,
): Extremes | undefined {
  const temp = reading.cpuPackage ?? reading.cpuMax
  if (temp === undefined) return known
  return {
    min: known && known.min.temp <= temp ? known.min : { temp, at },
    max: known && known.max.temp >= temp ? known.max : { temp, at },
  }
}

/** undefined where the node has no sensor that says anything. */
export function toNodeTemperature(
  reading: SensorsReading,
  extremes: Extremes | undefined,
  at: number,
): NodeTemperature | undefined {
  const { cpuPackage, cpuMax, cores, nvme } = reading
  const hasCPU = cpuPackage !== undefined || cpuMax !== undefined
  const hasNVMe = nvme.length > 0
  if (!hasCPU && !hasNVMe) return undefined
  return {
    available: true,
    hasCPU,
    hasNVMe,
    ...(cpuPackage !== undefined && { cpuPackage }),
    ...(cpuMax !== undefined && { cpuMax }),
    ...(extremes && {
      cpuMin: extremes.min.temp,
      cpuMaxRecord: extremes.max.temp,
      minRecorded: new Date(extremes.min.at).toISOString(),
      maxRecorded: new Date(extremes.max.at).toISOString(),
    }),
    ...(cores.length > 0 && { cores }),
    ...(hasNVMe && { nvme }),
    lastUpdate: new Date(at).toISOString(),
  }
}
