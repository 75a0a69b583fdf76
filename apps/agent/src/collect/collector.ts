import type { DockerReport, ReportedContainer } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { chooseApi, type EngineApi } from '../engine/api.ts'
import { type EngineClient, EngineError } from '../engine/client.ts'
import { count, type Fields, fields, list, text, time } from '../engine/read.ts'
import { type Log, errorText } from '../log.ts'
import { isUp, nameOf, toContainer } from './container.ts'
import { cpuPercent, cpuSample, type CpuSample, sampleBefore } from './usage.ts'
import { type HostSettings, identityOf, type Machine, toHost } from './host.ts'
import { fitted, mostContainers } from './report-size.ts'

export interface Limits {
  /** timeout of a request about the engine itself */
  engineMs: number
  /** timeout of all requests about one container */
  containerMs: number
  /** after this time the remaining containers are reported as listed, without further requests */
  cycleMs: number
  /** number of containers that are read at the same time */
  concurrency: number
}

/** An engine needs about a second for the figures of one container, and no longer for many at once. */
export const limits: Limits = { engineMs: 15_000, containerMs: 5_000, cycleMs: 60_000, concurrency: 100 }

export interface CollectorParts {
  engine: EngineClient
  machine: Machine
  clock: Clock
  log: Log
  limits: Limits
  settings: HostSettings & { version: string; intervalMs: number }
}

/** State of one cycle, shared by all its containers. */
interface Cycle {
  api: EngineApi
  info: Fields
  /** on the engine's clock, like its dates */
  nowMs: number
  endsAtMs: number
  samples: Map<string, CpuSample>
  unreadable: Set<string>
}

/** Reads the engine once per cycle, and keeps the samples for comparison in the next cycle. */
export class Collector {
  #api: EngineApi | undefined
  #identity: string | undefined
  #samples = new Map<string, CpuSample>()
  #unreadable = new Set<string>()
  #isTooLong = false
  readonly parts: CollectorParts

  constructor(parts: CollectorParts) {
    this.parts = parts
  }

  /** Rejects when the engine cannot list its containers: a failure must not look like an empty list. */
  async collect(): Promise<DockerReport> {
    try {
      return await this.#cycle()
    } catch (error) {
      this.#api = undefined // the engine may have been replaced by another version
      throw error
    } finally {
      this.parts.engine.rest()
    }
  }

  async #cycle(): Promise<DockerReport> {
    const { clock, machine, settings, limits } = this.parts
    const endsAtMs = clock.monotonic() + limits.cycleMs
    const ask = (path: string) => this.parts.engine.get(path, AbortSignal.timeout(limits.engineMs))
    const api = (this.#api ??= chooseApi(await ask('/version')))
    const [answer, listing] = await Promise.all([
      ask(`${api.prefix}/info`),
      ask(`${api.prefix}/containers/json?all=true`),
    ])
    if (!Array.isArray(listing)) throw new EngineError('failed', 'The engine did not list its containers.')
    const info = fields(answer)
    const nowMs = Date.parse(time(info.SystemTime) ?? '') || clock.now()
    const cycle: Cycle = { api, info, nowMs, endsAtMs, samples: new Map(), unreadable: new Set() }
    const entries = list(listing).slice(0, mostContainers).map(fields)
    const found = await mapConcurrently(entries, limits.concurrency, (listed) => this.#read(cycle, listed))
    this.#samples = cycle.samples
    this.#unreadable = cycle.unreadable
    const host = toHost(info, api.isPodman, machine, settings)
    this.#identity ??= identityOf(info, api.isPodman, host, settings)
    return {
      agent: {
        id: this.#identity,
        version: settings.version,
        intervalSeconds: Math.max(1, Math.round(settings.intervalMs / 1000)),
      },
      host,
      containers: this.#fitted(found.filter((container) => container !== undefined)),
      timestamp: new Date(clock.now()).toISOString(),
    }
  }

  #fitted(found: readonly ReportedContainer[]): ReportedContainer[] {
    const { containers, withoutDetails } = fitted(found)
    if (withoutDetails > 0 && !this.#isTooLong) {
      this.parts.log.warn(
        `labels, ports and networks of ${withoutDetails} containers are omitted: with them the report exceeds the size limit`,
      )
    }
    this.#isTooLong = withoutDetails > 0
    return containers
  }

  /** Undefined when the container was removed meanwhile. An unreadable container is reported as listed. */
  async #read(cycle: Cycle, listed: Fields): Promise<ReportedContainer | undefined> {
    const { engine, clock, limits } = this.parts
    const id = text(listed.Id)
    if (id === undefined) return undefined
    const before = this.#samples.get(id)
    const path = `${cycle.api.prefix}/containers/${encodeURIComponent(id)}`
    const leftMs = Math.min(limits.containerMs, Math.ceil(cycle.endsAtMs - clock.monotonic()))
    const signal = leftMs > 0 ? AbortSignal.timeout(leftMs) : AbortSignal.abort()
    const [inspected, figures] = await Promise.allSettled([
      engine.get(`${path}/json`, signal),
      isUp(listed) ? this.#figures(path, signal, before) : undefined,
    ])
    const failures = [inspected, figures].filter((result) => result.status === 'rejected')
    if (failures.some(({ reason }) => reason instanceof EngineError && reason.problem === 'gone'))
      return undefined
    const { stats, atMs } = (figures.status === 'fulfilled' && figures.value) || { stats: undefined, atMs: 0 }
    const cores = count(cycle.info.NCPU) || 1
    const now = cpuSample(stats, atMs, cores)
    const from = before ?? sampleBefore(stats, atMs, cores)
    const last = now ?? before
    if (last) cycle.samples.set(id, last)
    const unreadable = failures[0] && errorText(failures[0].reason)
    this.#logChange(cycle, id, nameOf(listed), unreadable)
    return toContainer({
      listed,
      inspected: inspected.status === 'fulfilled' ? fields(inspected.value) : undefined,
      stats: stats === undefined ? undefined : fields(stats),
      cpuPercent: now && (from ? cpuPercent(from, now) : 0),
      hostBytes: count(cycle.info.MemTotal),
      nowMs: cycle.nowMs,
      unreadable,
    })
  }

  /**
   * For the first request the engine takes two samples; later ones compare with the sample of the last cycle.
   */
  async #figures(path: string, signal: AbortSignal, before: CpuSample | undefined) {
    const query = before ? 'stream=false&one-shot=true' : 'stream=false'
    const stats = await this.parts.engine.get(`${path}/stats?${query}`, signal)
    return { stats, atMs: this.parts.clock.monotonic() }
  }

  /** Logs once when a container becomes unreadable, and once when it is readable again. */
  #logChange(cycle: Cycle, id: string, name: string, unreadable: string | undefined): void {
    const wasUnreadable = this.#unreadable.has(id)
    if (unreadable !== undefined) cycle.unreadable.add(id)
    if (unreadable !== undefined && !wasUnreadable) this.parts.log.warn(`container ${name}: ${unreadable}`)
    if (unreadable === undefined && wasUnreadable) this.parts.log.info(`container ${name} can be read again`)
  }
}

/** Keeps the order of `all`. Rejects at the first failure. */
async function mapConcurrently<T, R>(
  all: readonly T[],
  concurrency: number,
  work: (one: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    while (next < all.length) {
      const at = next++
      results[at] = await work(all[at]!)
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, all.length) }, worker))
  return results
}
