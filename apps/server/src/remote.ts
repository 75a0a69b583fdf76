import type { Health, Readiness } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import { openBus } from './cluster/nats/bus.ts'
import { leasedCollectors } from './cluster/leases/leased-collectors.ts'
import { limitRefusals } from './cluster/refusals.ts'
import { answerSealed } from './cluster/sites/sealed-questions.ts'
import { fromSent, SiteTask } from './cluster/sites/site-wire.ts'
import { siteSubjects } from './cluster/nats/subjects.ts'
import { collectors } from './collectors/index.ts'
import { callMetrics } from './connections/metrics.ts'
import { createWatching } from './connections/watching.ts'
import { gauge } from './metric.ts'
import { exposition } from './metrics/exposition.ts'
import { createRemoteClaims } from './remote/claims.ts'
import { followConnections } from './remote/connections.ts'
import { createOutbound } from './remote/outbound.ts'
import { serveCalls } from './remote/web.ts'
import { createVault } from './seal.ts'
import type { RemoteConfig } from './start/remote-config.ts'
import { stopInReverse } from './start/stop.ts'
import { readVersion } from './start/version.ts'
import { guardedClock } from './timing/guarded-clock.ts'
import { faultReports, type FaultReport } from './troubles/faults.ts'
import { createTroubles } from './troubles/troubles.ts'

export interface RemoteEdges {
  clock: Clock
  log: Logger
  env: NodeJS.ProcessEnv
  /** Receives the reporter of uncaught errors. */
  outlive?: (report: FaultReport) => void
}

export interface RemoteCollector {
  url: string
  stop(): Promise<void>
}

const [lineTrouble, keyTrouble] = ['nats', 'site-key']

/**
 * A collector at another site: it polls, and reaches NATS alone. What it polls it gets from the process that leads, and
 * keeps in memory. There is no database, no data folder and no page.
 */
export async function startRemote(config: RemoteConfig, edges: RemoteEdges): Promise<RemoteCollector> {
  const { site, nats } = config
  const { log } = edges
  const troubles = createTroubles(edges.clock, log)
  const { report, guard } = faultReports(troubles)
  const clock = guardedClock(edges.clock, guard('timer'))
  const onFault = guard('cluster')
  const startedAt = clock.monotonic()
  const { version } = readVersion(edges.env)
  const vault = createVault(config.key)
  const onRefused = limitRefusals(clock, (refusal) => log.warn(refusal, 'a message was refused'))

  const bus = await openBus(nats, {
    name: `pulse collector of ${site}`,
    clock,
    onLost: (why) =>
      troubles.begin(
        lineTrouble,
        `NATS does not answer (${why}). This collector goes on, and sends the newest figures when NATS is back.`,
      ),
    onBack() {
      troubles.end(lineTrouble, 'NATS did not answer for a while. It is back.')
      outbound.resend()
      connections.ask()
    },
  })
  const outbound = createOutbound({ bus, site, clock, onFault })
  const claims = createRemoteClaims({
    bus,
    site,
    version,
    clock,
    outbound,
    isKnown: (source) => connections.isKnown(source),
    costOf: (source) => connections.costOf(source),
    onFault,
  })
  const watching = createWatching(
    {
      collectors: leasedCollectors(collectors, claims.claimed),
      state: outbound.state,
      clock,
      log,
      pace: (kind) => connections.pace(kind),
    },
    (id, from, cluster) => watching.get(id)?.running === from && connections.learned(id, cluster),
  )
  const connections = followConnections({
    bus,
    site,
    vault,
    clock,
    watching,
    onAnswer: claims.join,
    onKey(isRefused) {
      claims.setRefused(isRefused)
      if (isRefused)
        troubles.begin(
          keyTrouble,
          `The key of the site ${site} is refused: it was replaced, or never made. This collector does not poll any more. Give it the new key and start it again.`,
        )
      else troubles.end(keyTrouble, `The key of the site ${site} was refused for a while.`)
    },
    onFault,
  })
  const { tasks, results } = siteSubjects(site)
  const stopping = new AbortController()
  const endTasks = answerSealed({
    bus,
    subject: tasks,
    queue: 'collectors',
    lineOf: () => ({ asks: tasks, answers: results }),
    vaultOf: async () => vault,
    async answer(task) {
      const connection = fromSent(SiteTask.parse(task).test)
      return collectors[connection.kind].test(connection, { clock, log, signal: stopping.signal })
    },
    onRefused,
  })

  const json = (status: number, value: unknown) => ({
    status,
    type: 'application/json',
    text: JSON.stringify(value),
  })
  const readiness = (): Readiness => ({
    ready: bus.isUp && connections.hasAnswer,
    roles: ['collect'],
    leads: false,
  })
  const health = (): Health => ({
    status: troubles.isDegraded() ? 'degraded' : 'healthy',
    timestamp: Math.floor(clock.now() / 1000),
    uptime: (clock.monotonic() - startedAt) / 1000,
    legacySSHDetected: false,
    recommendProxyUpgrade: false,
    proxyInstallScriptAvailable: false,
    devModeSSH: false,
  })
  const metrics = [
    gauge('pulse_cluster_sources', 'Sources that this process collects.', claims.collected),
    gauge('pulse_cluster_nats_up', 'Whether the connection to NATS is up.', () => Number(bus.isUp)),
    ...callMetrics({
      watched: () => watching.all().map(({ connection, running }) => ({ ...connection, running })),
    }),
  ]
  const areas = [
    { name: 'the line to other processes', stop: bus.close },
    { name: 'its card', stop: claims.leave },
    { name: 'the figures on their way', stop: outbound.stop },
    { name: 'the connections', stop: watching.endAll },
    { name: 'the leases', stop: claims.stop },
    { name: 'the questions', stop: connections.stop },
    {
      name: 'the tests',
      stop() {
        stopping.abort()
        endTasks()
      },
    },
    { name: 'the troubles', stop: troubles.stop },
  ]
  edges.outlive?.(report)
  const stop = () => stopInReverse(areas, { clock, log })
  try {
    const web = await serveCalls(
      {
        '/api/health': () => json(200, health()),
        '/api/health/ready': () => json(readiness().ready ? 200 : 503, readiness()),
        '/api/version': () => json(200, readVersion(edges.env)),
        '/metrics': () => ({
          status: 200,
          type: 'text/plain; version=0.0.4; charset=utf-8',
          text: [...exposition(metrics)].join(''),
        }),
      },
      config.listening,
      clock,
    )
    areas.push({ name: 'the web server', stop: web.stop })
    return { url: web.url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
