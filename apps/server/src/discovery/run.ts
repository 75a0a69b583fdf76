import type { DiscoveryConfig, LiveEvent } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { KnownServers } from './known.ts'
import type { Machine } from '../machine.ts'
import type { Names } from './names.ts'
import { probe } from './probe.ts'
import { collectProblems } from './problems.ts'
import { type Result, toUpdate } from './result.ts'
import { scan } from './scan.ts'
import { scopeOf } from './scope.ts'

/** One scan with its progress events. */
export async function runScan(
  scope: string,
  edges: {
    machine: Machine
    config: DiscoveryConfig
    known: KnownServers
    names: Names
    clock: Clock
    publish: (event: LiveEvent) => void
    signal: AbortSignal
    /** the time limit, by the monotonic clock */
    endsAt: number
  },
): Promise<Result> {
  const { machine, config, known, names, clock, publish, signal, endsAt } = edges
  const now = () => Math.floor(clock.now() / 1000)
  const environment = scopeOf(machine, scope, config)
  const problems = collectProblems(clock)
  for (const message of environment.phases.length === 0 ? environment.warnings : []) {
    problems.note({ phase: 'scope', error_type: 'phase_error', message })
  }
  const { dial_timeout_ms: dialTimeoutMs, http_timeout_ms: httpTimeoutMs } = config
  publish({ type: 'discovery_started', data: { scanning: true, subnet: scope, timestamp: now() } })
  try {
    await known.refresh()
    const servers = await scan(environment, {
      clock,
      config,
      names,
      problems,
      signal,
      endsAt,
      probe: (ip, port) => probe(ip, port, { clock, signal, dialTimeoutMs, httpTimeoutMs }),
      onProgress: (progress) => publish({ type: 'discovery_progress', data: { progress, timestamp: now() } }),
      onServer(server, phase) {
        if (known.has(server)) return
        publish({ type: 'discovery_server_found', data: { server, phase, timestamp: now() } })
      },
    })
    const counts = !signal.aborted || signal.reason === 'time'
    const result = {
      servers,
      errors: problems.all(),
      environment,
      endedAt: now(),
      agesFrom: clock.monotonic(),
      counts,
    }
    if (counts) publish(toUpdate(result, known, false))
    return result
  } finally {
    publish({ type: 'discovery_complete', data: { scanning: false, timestamp: now(), environment } })
  }
}
