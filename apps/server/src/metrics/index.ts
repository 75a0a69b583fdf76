import { getMetrics, inSeconds } from '@pulse/contract'
import type { Tables } from '@pulse/domain'
import { Readable } from 'node:stream'
import { type Area, metricsOf } from '../area.ts'
import type { Foundation } from '../foundation.ts'
import { acceptsGzip, FileReply, RawReply, route } from '../http/route.ts'
import type { Metric } from '../metric.ts'
import { estateMetrics } from './estate/index.ts'
import { exposition } from './exposition.ts'
import { type KindMetric, ofKind } from './of-kind.ts'
import { createScrape } from './scrape.ts'

export interface MetricsEdges extends Pick<Foundation, 'shown' | 'mask' | 'clock' | 'config'> {
  /** areas that may have metrics */
  areas: readonly Area[]
}

const textFormat = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', vary: 'accept-encoding' }

/** Serves /metrics: the metrics of every area and, unless switched off, of all monitored resources. */
export function metricsArea({ areas, shown, mask, clock, config }: MetricsEdges): Area {
  const { tables } = shown
  const kinds = [...sourceMetrics, ...(config.metricsOfEstate ? estateMetrics : [])]
  const all = () => [...metricsOf(areas), ...countMetrics(tables), ...kinds.map((make) => make(tables))]
  const scrape = createScrape(() => exposition(all(), mask?.text), clock)
  return {
    name: 'what Prometheus reads',
    routes: [
      route(getMetrics, async ({ caller }) => {
        if (caller.method === 'HEAD') return new FileReply(() => Readable.from([]), textFormat)
        if (!acceptsGzip(caller)) return new RawReply(await scrape.bytes('identity'), textFormat)
        return new RawReply(await scrape.bytes('gzip'), { ...textFormat, 'content-encoding': 'gzip' })
      }),
    ],
    stop: scrape.stop,
  }
}

const levels = ['warning', 'critical'] as const

/** Counts that are exported even without the estate's metrics. */
export const countMetrics = ({ activeAlerts, dockerHosts }: Tables): readonly Metric[] => [
  {
    name: 'pulse_alerts',
    type: 'gauge',
    help: 'Active alerts by level and acknowledgement; absent while alerts are not activated.',
    labels: ['level', 'acknowledged'],
    samples() {
      const alerts = [...activeAlerts.values()]
      return levels.flatMap((level) => {
        const own = alerts.filter((alert) => (alert.level === 'critical') === (level === 'critical'))
        const acknowledged = own.filter((alert) => alert.acknowledged).length
        return [[own.length - acknowledged, level, 'false'] as const, [acknowledged, level, 'true'] as const]
      })
    },
  },
  {
    name: 'pulse_agents',
    type: 'gauge',
    help: 'Agents of container hosts by status.',
    labels: ['status'],
    samples() {
      const hosts = [...dockerHosts.values()]
      return (['online', 'offline'] as const).map(
        (status) => [hosts.filter((host) => host.status === status).length, status] as const,
      )
    },
  },
]

const sources = ofKind('sources')

/** The state of every connection and agent. */
export const sourceMetrics: readonly KindMetric[] = [
  sources.info(
    'pulse_source_info',
    'A connection that Pulse polls, or the agent of a container host. Always 1.',
    {
      name: ({ name }) => name,
      kind: ({ kind }) => kind,
    },
  ),
  sources.state(
    'pulse_source_up',
    'Whether the source is reachable or its agent reports; absent before the first poll.',
    ({ health }) => (health === 'unknown' ? undefined : health !== 'error'),
  ),
  sources.state(
    'pulse_source_degraded',
    'Whether the source is reachable but only partly readable or healthy.',
    ({ health }) => health === 'degraded',
  ),
  sources.state(
    'pulse_source_refused',
    'Whether access is refused: the source is reachable, but its certificate or the account of Pulse is not accepted.',
    (source) => source.refused === true,
  ),
  sources.state(
    'pulse_source_unreadable',
    'Unreadable parts of a reachable source, at most 20.',
    (source) => source.unreadable?.length ?? 0,
  ),
  sources.state(
    'pulse_source_answer_timestamp_seconds',
    'Time of the last answer or report of the source, in seconds since 1970.',
    ({ lastSeen }) => inSeconds(lastSeen),
  ),
]
