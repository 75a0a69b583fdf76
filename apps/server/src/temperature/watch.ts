import type { NodeTemperature, TemperatureNode } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import { startLoop } from '../polling/loop.ts'
import type { SensorsReading } from './sensors.ts'
import { SensorsError } from './ssh.ts'

/** Reads one node repeatedly. */
export interface Watch {
  health(): Pick<TemperatureNode, 'status' | 'error' | 'lastRead'>
  /** Takes over a reading that was taken elsewhere. */
  learn(reading: SensorsReading): void
  stop(): Promise<void>
}

/** Every reading is a sign-in that the node logs. */
export const intervalMs = 30_000
const freshMs = 120_000
const failuresToPause = 3
const pauseMs = 300_000

export function watchTemperature(edges: {
  clock: Clock
  log: Logger
  firstAfterMs: number
  read: (signal: AbortSignal) => Promise<SensorsReading>
  /** undefined when the latest reading has no value or is too old */
  show: (temperature: NodeTemperature | undefined) => void
}): Watch {
  const { clock, log, read, show } = edges
  let extremes: Extremes | undefined
  let latest: { value: NodeTemperature | undefined; at: number } | undefined
  let cancelExpiry = () => {}
  let isStopped = false
  let failure: { message: string; count: number } | undefined

  function learn(reading: SensorsReading) {
    if (isStopped) return
    const at = clock.now()
    extremes = withReading(extremes, reading, at)
    latest = { value: toNodeTemperature(reading, extremes, at), at }
    cancelExpiry()
    cancelExpiry = clock.after(freshMs + 1, () => show(undefined))
    show(latest.value)
    if (failure && failure.count >= failuresToPause) log.info('temperature can be read again')
    failure = undefined
  }

  const loop = startLoop({
    clock,
    log,
    intervalMs,
    firstAfterMs: edges.firstAfterMs,
    deadlineMs: 15_000,
    run: async (signal) => learn(await read(signal)),
    failed(error, count) {
      const message = error instanceof SensorsError ? error.message : 'its temperature could not be read'
      if (!(error instanceof SensorsError))
        log.error({ err: error }, 'cannot read a temperature: internal error')
      if (count === failuresToPause) log.warn({ reason: message }, 'the temperature cannot be read')
      failure = { message, count }
      return count >= failuresToPause ? pauseMs : intervalMs
    },
  })

  return {
    health: () => ({
      status: failure ? (failure.count >= failuresToPause ? 'paused' : 'failing') : latest ? 'ok' : 'waiting',
      ...(failure && { error: failure.message }),
      ...(!failure && latest && !latest.value && { error: 'the node has no usable sensors' }),
      ...(latest && { lastRead: new Date(latest.at).toISOString() }),
    }),
    learn,
    stop() {
      isStopped = true
      cancelExpiry()
      return loop.stop()
    },
  }
}

/** The lowest and highest value since Pulse was started. */
interface Extremes {
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

/** Returns undefined for a node without a usable sensor. */
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
