import type {
  DiscoveredServer,
  DiscoveryConfig,
  DiscoveryEnvironment,
  DiscoveryProgress,
} from '@pulse/contract'
import { type Clock, parseIpv4 } from '@pulse/domain'
import { pause } from '../timing/pause.ts'
import type { Names } from './names.ts'
import { type PlannedPhase, planScan } from './plan.ts'
import { discoveryPorts, type Finding } from './probe.ts'
import type { Problems } from './problems.ts'

/** New connections per second, low enough that no switch or firewall takes the scan for a flood. */
const dialsPerSecond = 250
/** A guessed network is skipped after this many unreachable addresses. */
const mostUnreachable = 64
const progressGapMs = 500

export interface ScanEdges {
  clock: Clock
  config: DiscoveryConfig
  probe: (ip: string, port: number) => Promise<Finding>
  names: Pick<Names, 'nameOf'>
  problems: Problems
  signal: AbortSignal
  /** the time limit, by the monotonic clock */
  endsAt: number
  onProgress: (progress: DiscoveryProgress) => void
  onServer: (server: DiscoveredServer, phase: string) => void
}

/** Scans the phases in order. If the signal ends the scan, the servers found so far are the result. */
export async function scan(environment: DiscoveryEnvironment, edges: ScanEdges): Promise<DiscoveredServer[]> {
  const { clock, config, problems, signal, endsAt, onProgress } = edges
  const phases = planScan(environment, config)
  const turn = createSpacing(dialsPerSecond, clock, signal)
  const total = phases.reduce((sum, { targets }) => sum + targets, 0)
  const servers: DiscoveredServer[] = []
  let processed = 0
  let shownAt = -Infinity

  function show(phase: PlannedPhase, number: number, done: number, always: boolean) {
    if (!always && clock.monotonic() - shownAt < progressGapMs) return
    shownAt = clock.monotonic()
    onProgress({
      current_phase: phase.name,
      phase_number: number,
      total_phases: phases.length,
      targets_in_phase: phase.targets,
      processed_in_phase: done,
      total_targets: total,
      total_processed: processed,
      servers_found: servers.length,
      percentage: total === 0 ? 100 : Math.floor((processed / total) * 100),
    })
  }

  async function runPhase(phase: PlannedPhase, number: number) {
    const queue = addressQueue(phase)
    let done = 0
    const count = (addresses: number) => {
      done += addresses
      processed += addresses
      show(phase, number, done, done === phase.targets)
    }
    show(phase, number, 0, true)
    const worker = async () => {
      for (let next = queue.next(); next && !signal.aborted; next = queue.next()) {
        const { ip, subnet } = next
        const life = await askAddress(ip, phase.name, subnet.text)
        if (signal.aborted) return
        const skipped = life === 'no_network' ? queue.drop(subnet) : queue.heard(subnet, life === 'alive')
        if (life !== 'no_network' && skipped > 0) {
          const message = `No address in ${subnet.text} answers: the rest of the subnet was skipped.`
          problems.note({ phase: phase.name, error_type: 'phase_error', message })
        }
        count(1 + skipped)
      }
    }
    await Promise.all(Array.from({ length: Math.min(config.max_concurrent, phase.targets) }, worker))
  }

  async function askAddress(ip: string, phase: string, subnet: string) {
    let isAlive = false
    for (const port of discoveryPorts) {
      await turn()
      const finding = signal.aborted ? ({ is: 'canceled' } as const) : await edges.probe(ip, port)
      if (finding.is === 'canceled') return 'unreachable'
      if (finding.is === 'no_network') {
        const message = `There is no route to ${subnet} from this machine.`
        problems.note({ phase, error_type: 'phase_error', message })
        return 'no_network'
      }
      isAlive ||= finding.is !== 'nothing' || finding.reached
      if (finding.is === 'problem') {
        const { type: error_type, message } = finding
        const address = error_type === 'phase_error' ? {} : { ip, port }
        problems.note({ ...address, phase, error_type, message })
      }
      if (finding.is === 'server') await found(ip, port, phase, finding.identity)
    }
    return isAlive ? 'alive' : 'unreachable'
  }

  type Identity = Extract<Finding, { is: 'server' }>['identity']

  async function found(ip: string, port: number, phase: string, { type, version, node }: Identity) {
    const named = config.enable_reverse_dns ? await edges.names.nameOf(ip) : undefined
    const hostname = named ?? node
    const release = version && releaseOf(type, version)
    const server = {
      ip,
      port,
      type,
      version: version ?? 'Unknown',
      ...(hostname && { hostname }),
      ...(release && { release }),
    }
    servers.push(server)
    edges.onServer(server, phase)
  }

  for (const [n, phase] of phases.entries()) {
    if (signal.aborted) break
    const neededMs = 5 * config.dial_timeout_ms
    if (phase.isGuess && endsAt - clock.monotonic() < neededMs) {
      const message = 'This subnet was skipped: no time was left.'
      problems.note({ phase: phase.name, error_type: 'phase_error', message })
      continue
    }
    await runPhase(phase, n + 1)
    if (!signal.aborted) continue
    const isLate = signal.reason === 'time'
    const message = `${isLate ? 'The scan reached its time limit' : 'The scan was stopped early'}: ${processed} of ${total} addresses were scanned.`
    problems.note({ phase: phase.name, error_type: isLate ? 'timeout' : 'canceled', message })
  }
  return servers.toSorted((a, b) => parseIpv4(a.ip)! - parseIpv4(b.ip)! || a.port - b.port)
}

/** As in the products' own API: `8.4` for 8.4.1. A backup server adds its patch level, which pages lack. */
const releaseOf = (type: DiscoveredServer['type'], version: string): string | undefined =>
  type === 'pbs' ? undefined : /^\d+\.\d+/.exec(version)?.[0]

type Subnet = PlannedPhase['subnets'][number]

/** The addresses of a phase, one at a time, without those of networks that turn out not to exist. */
function addressQueue({ subnets, isGuess }: PlannedPhase) {
  const waiting = subnets.map((subnet) => ({ subnet, left: [...subnet.addresses], unreachable: 0 }))
  const entryOf = (subnet: Subnet) => waiting.find((entry) => entry.subnet === subnet)!

  function drop(subnet: Subnet): number {
    return entryOf(subnet).left.splice(0).length
  }
  return {
    next() {
      const entry = waiting.find(({ left }) => left.length > 0)
      const ip = entry?.left.shift()
      return entry && ip !== undefined ? { ip, subnet: entry.subnet } : undefined
    },
    drop,
    /** Returns how many addresses are skipped because of this result. */
    heard(subnet: Subnet, isAlive: boolean): number {
      const entry = entryOf(subnet)
      if (isAlive) entry.unreachable = -Infinity
      else entry.unreachable++
      return isGuess && entry.unreachable >= mostUnreachable ? drop(subnet) : 0
    },
  }
}

/** Spaces callers evenly and limits them to `perSecond`. An abort ends the wait at once. */
function createSpacing(perSecond: number, clock: Clock, signal: AbortSignal): () => Promise<void> {
  const gapMs = 1000 / perSecond
  let freeAt = clock.monotonic()
  return async () => {
    const now = clock.monotonic()
    freeAt = Math.max(freeAt, now) + gapMs
    const waitMs = freeAt - gapMs - now
    if (waitMs >= 1) await pause(clock, waitMs, signal)
  }
}
