import { getMetrics } from '@pulse/contract'
import { Readable } from 'node:stream'
import { type Area, metricsOf } from '../area.ts'
import type { Foundation } from '../foundation.ts'
import { acceptsGzip, FileReply, RawReply, route } from '../http/route.ts'
import { countMetrics } from './counts.ts'
import { estateMetrics } from './estate/index.ts'
import { exposition } from './exposition.ts'
import { createScrape } from './scrape.ts'
import { sourceMetrics } from './sources.ts'

export interface MetricsEdges extends Pick<Foundation, 'shown' | 'mask' | 'clock' | 'config'> {
  /** each may have metrics */
  areas: readonly Area[]
}

const textFormat = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', vary: 'accept-encoding' }

/** Serves /metrics: metrics of every area and, unless switched off, of all monitored resources. */
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
