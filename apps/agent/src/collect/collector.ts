import type { DockerReport, ReportedContainer } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { chooseApi, type EngineApi } from '../engine/api.ts'
import type { EngineClient } from '../engine/client.ts'
import { EngineError } from '../engine/engine-error.ts'
import { count, type Fields, fields, list, text, time } from '../engine/read.ts'
import { type Log, said } from '../log.ts'
import { isUp, nameOf, toContainer } from './container.ts'
import { cpuPercent, type CpuSample, cpuSample, sampleBefore } from './cpu.ts'
import { type HostSettings, identityOf, toHost } from './host.ts'
import { inLanes } from './lanes.ts'
import type { Limits } from './limits.ts'
import type { Machine } from './machine.ts'
import { fitted, mostContainers } from './report-size.ts'

export interface CollectorParts {
  engine: EngineClient
  machine: Machine
  clock: Clock
  log: Log
  limits: Limits
  settings: HostSettings & { version: string; intervalMs: number }
}

/** What one cycle knows before it looks at a container. */
interface Cycle {
  api: EngineApi
  info: Fields
  /** by the engine's clock, like its dates */
  nowMs: number
  endsAtMs: number
  samples: Map<string, CpuSample>
  silent: Set<string>
}

/** Reads the engine once a cycle, and keeps of it what the next one compares with. */
export class Collector {
  #api: EngineApi | undefined
  #identity: string | undefined
  #samples = new Map<string, CpuSample>()
  #silent = new Set<string>()
  #isTooLong = false
  readonly parts: CollectorParts

  constructor(parts: CollectorParts) {
    this.parts = parts
  }

  /** Rejects when the engine could not list its containers: what it did not say must not look like no containers. */
  async collect(): Promise<DockerReport> {
    try {
      return await this.#cycle()
    } catch (error) {
      this.#api = undefined // it may come back as another one
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
    const cycle: Cycle = { api, info, nowMs, endsAtMs, samples: new Map(), silent: new Set() }
    const entries = list(listing).slice(0, mostContainers).map(fields)
    const found = await inLanes(entries, limits.lanes, (listed) => this.#read(cycle, listed))
    this.#samples = cycle.samples
    this.#silent = cycle.silent
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

  /** One that is gone by now is left out; of one that cannot be read remains what the list says. */
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
    const kept = now ?? before
    if (kept) cycle.samples.set(id, kept)
    const unreadable = failures[0] && said(failures[0].reason)
    this.#tell(cycle, id, nameOf(listed), unreadable)
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

  /** The first time the engine is asked to compare two samples of its own; later the last cycle's is the one before. */
  async #figures(path: string, signal: AbortSignal, before: CpuSample | undefined) {
    const query = before ? 'stream=false&one-shot=true' : 'stream=false'
    const stats = await this.parts.engine.get(`${path}/stats?${query}`, signal)
    return { stats, atMs: this.parts.clock.monotonic() }
  }

  /** That a container cannot be read is said once, and so is that it can be again. */
  #tell(cycle: Cycle, id: string, name: string, unreadable: string | undefined): void {
    const wasSilent = this.#silent.has(id)
    if (unreadable !== undefined) cycle.silent.add(id)
    if (unreadable !== undefined && !wasSilent) this.parts.log.warn(`container ${name}: ${unreadable}`)
    if (unreadable === undefined && wasSilent) this.parts.log.info(`container ${name} can be read again`)
  }
}
