import type { DiscoveryInput, DiscoveryReply, LiveEvent, SystemSettings } from '@pulse/contract'
import { type Clock, readSubnets, subnetMessages } from '@pulse/domain'
import type { Logger } from 'pino'
import { AppError } from '../app-error.ts'
import { type KnownNode, knownServers } from './known.ts'
import type { Machine } from '../machine.ts'
import type { Names } from './names.ts'
import { type Result, toReply, toUpdate } from './result.ts'
import { runScan } from './run.ts'
import { createDueTimer } from '../timing/due-timer.ts'

/** The system settings for discovery. */
export type DiscoverySettings = Pick<
  SystemSettings,
  'discoveryEnabled' | 'discoverySubnet' | 'discoveryConfig'
>

export const discoveryTiming = {
  /** between the starts of two periodic scans */
  intervalMs: 300_000,
  /** the time limit of a scan of this machine's networks */
  autoCapMs: 120_000,
  /** the time limit of a scan of named subnets, which a user waits for */
  namedCapMs: 60_000,
  /** after a change of settings or nodes; several changes cause one scan */
  afterChangeMs: 1000,
} as const

/** Looks for Proxmox servers that are not added yet. Off by default. */
export interface DiscoveryArea {
  start(): void
  /** The latest result; empty while discovery is off. */
  latest(): DiscoveryReply
  /** Throws `validation_failed` or `conflict`. */
  scan(input: DiscoveryInput): Promise<DiscoveryReply>
  settingsChanged(): void
  nodesChanged(): void
  stop(): Promise<void>
}

interface Running {
  scope: string
  isManual: boolean
  abort: AbortController
  done: Promise<Result>
}

export interface DiscoveryEdges {
  settings: () => DiscoverySettings
  machine: Machine
  /** the nodes that Pulse already monitors */
  nodes: () => readonly KnownNode[]
  names: Names
  clock: Clock
  log: Logger
  publish: (event: LiveEvent) => void
}

export function createDiscovery(edges: DiscoveryEdges): DiscoveryArea {
  const { settings, machine, nodes, names, clock, log, publish } = edges
  const known = knownServers(nodes, names, clock)
  let running: Running | undefined
  let latest: Result | undefined
  let inForce = ''
  let nextAt: number | undefined
  /** Of several processes, only the one that leads looks around. */
  let isStarted = false
  const timer = createDueTimer({ clock, dueAt: () => nextAt, run: scanNow, onError: failed })
  let stopped = false

  const configuredScope = () => readScope(settings().discoverySubnet)

  function schedule(ms: number) {
    nextAt = clock.monotonic() + ms
    timer.reschedule()
  }

  function scanNow() {
    nextAt = undefined
    if (!settings().discoveryEnabled) return
    // A requested scan is not interrupted. The periodic one follows.
    if (running) return schedule(discoveryTiming.afterChangeMs)
    const scope = configuredScope()
    if (scope === undefined) return log.warn('invalid subnets to scan: discovery is skipped')
    begin(scope, false).done.catch(failed)
  }

  function failed(err: unknown) {
    log.error({ err }, 'discovery scan failed')
  }

  function begin(scope: string, isManual: boolean): Running {
    const abort = new AbortController()
    const { autoCapMs, namedCapMs } = discoveryTiming
    const capMs = scope === 'auto' || !isManual ? autoCapMs : namedCapMs
    const cancelCap = clock.after(capMs, () => end(abort, 'time'))
    const done = perform(scope, abort.signal, clock.monotonic() + capMs).finally(() => {
      cancelCap()
      running = undefined
    })
    running = { scope, isManual, abort, done }
    if (scope === configuredScope()) schedule(discoveryTiming.intervalMs)
    return running
  }

  async function perform(scope: string, signal: AbortSignal, endsAt: number): Promise<Result> {
    const { discoveryConfig: config } = settings()
    const result = await runScan(scope, { machine, config, known, names, clock, publish, signal, endsAt })
    const { servers, errors } = result
    log.debug({ scope, servers: servers.length, errors: errors.length }, 'discovery scan finished')
    if (result.counts && scope === configuredScope()) latest = result
    return result
  }

  const answer = (result: Result | undefined, cached: boolean) =>
    toReply(result, { known, cached, scanning: running !== undefined, clock })
  const current = () => answer(settings().discoveryEnabled ? latest : undefined, true)

  /** Returns the running scan if it has the same scope. A requested scan ends a periodic one. */
  async function take(scope: string): Promise<Running> {
    const isEnding = running?.abort.signal.aborted === true
    if (running?.scope === scope && !isEnding) return running
    if (running?.isManual && !isEnding) {
      throw new AppError('conflict', 'Another discovery scan is running. Wait for it to finish.')
    }
    if (running) {
      const { abort, done } = running
      if (!isEnding) end(abort, 'replaced')
      await done
      return take(scope)
    }
    return begin(scope, true)
  }

  return {
    start() {
      isStarted = true
      inForce = JSON.stringify(relevant(settings()))
      if (settings().discoveryEnabled) schedule(0)
    },
    latest: current,
    async scan({ subnet, use_cache = false }) {
      const scope = subnet === undefined ? configuredScope() : readScope(subnet)
      if (scope === undefined) {
        throw new AppError('validation_failed', subnetMessages.invalid, {
          details: { subnet: subnetMessages.invalid },
        })
      }
      if (use_cache) return current()
      if (!settings().discoveryEnabled || stopped) {
        throw new AppError('conflict', 'Discovery is disabled. Enable it before you scan.')
      }
      const { done } = await take(scope)
      return { ...answer(await done, false), scanning: false }
    },
    settingsChanged() {
      if (!isStarted) return
      const next = JSON.stringify(relevant(settings()))
      if (next === inForce) return
      inForce = next
      nextAt = undefined
      timer.reschedule()
      if (!settings().discoveryEnabled) {
        latest = undefined
        if (running) end(running.abort, 'off')
        return
      }
      if (running && !running.isManual) end(running.abort, 'replaced')
      schedule(discoveryTiming.afterChangeMs)
    },
    nodesChanged() {
      if (!isStarted || !settings().discoveryEnabled) return
      if (latest) publish(toUpdate(latest, known, running !== undefined))
      schedule(discoveryTiming.afterChangeMs)
    },
    async stop() {
      stopped = true
      timer.stop()
      if (!running) return
      const { abort, done } = running
      end(abort, 'stopping')
      await Promise.allSettled([done])
    },
  }
}

/** A scan that ends by its time limit keeps its results. For other reasons they are dropped. */
const end = (abort: AbortController, reason: 'time' | 'replaced' | 'off' | 'stopping') => abort.abort(reason)

const relevant = ({ discoveryEnabled, discoverySubnet, discoveryConfig }: DiscoverySettings) => ({
  discoveryEnabled,
  discoverySubnet,
  discoveryConfig,
})

/** `auto`, or the named subnets in normalized form; undefined for invalid input. */
function readScope(text: string): string | undefined {
  const subnets = readSubnets(text)
  return subnets?.length === 0 ? 'auto' : subnets?.join(',')
}
