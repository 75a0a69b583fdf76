import { realClock } from '../edges.ts'
import { pause } from '../timing/pause.ts'
import type { ClusterProcess, TestCluster } from './cluster.ts'
import type { VictoriaMetrics } from './victoria-metrics.ts'

/** What is done to a cluster, drawn before the run so that the same seed does the same. */
export interface PlannedFault {
  /** pause after the begin of the one before */
  afterMs: number
  what: string
  /** No two faults hit the same at once. Of the NATS servers, and of the database, one is hit at a time. */
  target: string
  lastsMs: number
  begin(): unknown
  end?(): unknown
}

/** A fault that was done. Monotonic ms; `to` is absent while it lasts. */
export interface DoneFault {
  what: string
  target: string
  from: number
  to?: number
}

const day = 86_400_000
const clockSteps = [-3 * day, -3_600_000, -60_000, -1_000, 1_000, 60_000, 3_600_000, 3 * day, 0]

export interface FaultEdges {
  cluster: TestCluster
  samples: Pick<VictoriaMetrics, 'halt' | 'rise' | 'freeze' | 'thaw'>
  /** Processes are started again by who looks after them. */
  kill: (process: ClusterProcess, downMs: number) => Promise<void>
  random: () => number
  /** ms that a process hangs, or is without NATS, at most */
  longestMs: number
  /** ms from one fault to the next, at most */
  mostApartMs: number
}

export function planFaults(count: number, edges: FaultEdges): PlannedFault[] {
  const { cluster, samples, kill, random, longestMs, mostApartMs } = edges
  const between = (least: number, most: number) => Math.round(least + random() * (most - least))
  const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!
  const hangMs = () => between(5_000, longestMs)

  const kinds: [weight: number, draw: () => Omit<PlannedFault, 'afterMs'>][] = [
    [30, killed],
    [20, frozen],
    [18, partitioned],
    [10, stepped],
    [10, restarted],
    [6, natsKilled],
    [6, natsFrozen],
    [6, natsIsolated],
    [3, samplesKilled],
    [3, samplesFrozen],
  ]

  function killed() {
    const process = oneOf(cluster.processes)
    const downMs = between(0, 5_000)
    return fault(`kill -9 of ${process.name}, down for ${downMs} ms`, process.name, 0, {
      begin: () => kill(process, downMs),
    })
  }

  function frozen() {
    const { name, freeze, thaw } = oneOf(cluster.processes)
    return fault(`stop of ${name}`, name, hangMs(), { begin: freeze, end: thaw })
  }

  function partitioned() {
    const { name, line } = oneOf(cluster.processes)
    const isCut = random() < 0.5
    const how = isCut ? 'refuses connections' : 'hangs'
    return fault(`${name} has no NATS: its line ${how}`, name, hangMs(), {
      begin: isCut ? line.cut : line.freeze,
      end: line.thaw,
    })
  }

  function stepped() {
    const { name, setClock } = oneOf(cluster.processes)
    const aheadMs = oneOf(clockSteps)
    return fault(`clock of ${name} is set to ${aheadMs} ms ahead`, name, 0, {
      begin: () => setClock(aheadMs),
    })
  }

  function restarted() {
    const { postgres } = cluster
    const how = random() < 0.5 ? 'crash' : undefined
    return fault(`database restart${how ? ' after a crash' : ''}`, 'database', between(0, 6_000), {
      begin: () => postgres.halt(how),
      end: () => postgres.rise(),
    })
  }

  function natsKilled() {
    const server = oneOf(cluster.nats)
    const n = cluster.nats.indexOf(server) + 1
    return fault(`kill -9 of NATS server ${n}`, 'nats', between(0, 10_000), {
      begin: server.halt,
      end: server.rise,
    })
  }

  function natsFrozen() {
    const server = oneOf(cluster.nats)
    const n = cluster.nats.indexOf(server) + 1
    return fault(`stop of NATS server ${n}`, 'nats', hangMs(), { begin: server.freeze, end: server.thaw })
  }

  function natsIsolated() {
    const { isolate, join } = oneOf(cluster.nats)
    const how = random() < 0.5 ? 'cut' : 'freeze'
    const n = cluster.nats.findIndex((server) => server.isolate === isolate) + 1
    return fault(`NATS server ${n} is without the others: ${how}`, 'nats', hangMs(), {
      begin: () => isolate(how),
      end: join,
    })
  }

  function samplesKilled() {
    return fault('kill -9 of the store of samples', 'samples', between(0, 10_000), {
      begin: () => samples.halt('crash'),
      end: samples.rise,
    })
  }

  function samplesFrozen() {
    return fault('stop of the store of samples', 'samples', hangMs(), {
      begin: samples.freeze,
      end: samples.thaw,
    })
  }

  return Array.from({ length: count }, () => {
    let at = random() * kinds.reduce((sum, [weight]) => sum + weight, 0)
    const [, draw] = kinds.find(([weight]) => (at -= weight) < 0) ?? kinds[0]!
    return { afterMs: between(mostApartMs / 8, mostApartMs), ...draw() }
  })
}

const fault = (
  what: string,
  target: string,
  lastsMs: number,
  acts: Pick<PlannedFault, 'begin' | 'end'>,
): Omit<PlannedFault, 'afterMs'> => ({ what, target, lastsMs, ...acts })

/** Does them one after the other; those that last overlap. Resolves when all are over. */
export async function inflict(
  plan: readonly PlannedFault[],
  onBegin: (done: DoneFault) => void,
  signal: AbortSignal,
): Promise<void> {
  const lasting = new Map<string, Promise<void>>()
  for (const { afterMs, what, target, lastsMs, begin, end } of plan) {
    await pause(realClock, afterMs, signal)
    await lasting.get(target)
    if (signal.aborted) break
    const done: DoneFault = {
      what: lastsMs > 0 ? `${what} for ${lastsMs} ms` : what,
      target,
      from: performance.now(),
    }
    onBegin(done)
    const whole = async () => {
      await begin()
      await pause(realClock, lastsMs, signal)
      await end?.()
      done.to = performance.now()
    }
    lasting.set(target, whole())
  }
  await Promise.all(lasting.values())
}
