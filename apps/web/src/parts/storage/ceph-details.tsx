import type { CephCluster, Storage } from '@pulse/contract'
import { useCallback } from 'react'
import { formatBytes, formatNumber, formatPercent, MISSING } from '../../lib/format.ts'
import { toneOf } from '../../lib/tones.ts'
import { useEntity, useLive } from '../../live/use-live.ts'
import { DetailsPanel, DetailsPanels, Fact, Facts } from '../list/details.tsx'
import { StaleBadge } from '../cells/outage.tsx'
import { FullInText } from '../forecast/full-in.tsx'
import { ChangesFold } from '../changes/changes-fold.tsx'
import { HistoryCharts } from '../history/history-charts.tsx'
import { cx } from '../../ui/cx.ts'
import { toneText } from '../../ui/tone-class.ts'
import { UsageBar } from '../../ui/usage-bar.tsx'
import { cephOf, cephTone, isDerived } from './ceph.ts'

/** The Ceph cluster of a storage. */
export function CephDetails({ source, instance }: Pick<Storage, 'source' | 'instance'>) {
  const id = useLive(
    ['cephClusters'],
    useCallback((live) => cephOf(live, { source, instance }), [source, instance]),
  )
  const cluster = useEntity('cephClusters', id ?? '')
  return id !== undefined && cluster ? (
    <Cluster id={id} cluster={cluster} />
  ) : (
    <p className="text-xs text-ink-2">{nothingKnown}</p>
  )
}

const nothingKnown = 'No data about this Ceph cluster yet.'
const noTelemetry = 'Live telemetry is unavailable: the figures are derived from the storages on it.'
/** keeps the panel small */
const poolsShown = 2

function Cluster({ id, cluster }: { id: string; cluster: CephCluster }) {
  const { name, health, staleSince } = cluster
  const stale = staleSince !== undefined
  const derived = isDerived(cluster)
  const tone = cephTone(health)
  return (
    <div className={cx(stale && 'grayscale')}>
      <DetailsPanels>
        <DetailsPanel title={name || 'Ceph'} note={derived ? noTelemetry : undefined}>
          <Facts>
            <Fact term="Health">
              <span className="inline-flex items-center gap-2">
                <span className={cx('font-medium', toneText[tone])}>{derived ? 'Unknown' : health}</span>
                {staleSince !== undefined && <StaleBadge since={staleSince} />}
              </span>
            </Fact>
            {cluster.healthMessage && !derived && <Fact term="Message">{cluster.healthMessage}</Fact>}
            <Fact term="OSDs up">
              <span className={cx(cluster.numOsdsUp < cluster.numOsds && 'font-medium text-yellow')}>
                {formatNumber(cluster.numOsdsUp)}/{formatNumber(cluster.numOsds)}
              </span>
            </Fact>
            <Fact term="PGs">{formatNumber(cluster.numPGs)}</Fact>
            <Fact term="Monitors">{formatNumber(cluster.numMons)}</Fact>
          </Facts>
        </DetailsPanel>
        <DetailsPanel title="Usage">
          <p className="mb-1 text-ink tabular-nums">{usageText(cluster)}</p>
          <UsageBar
            percent={cluster.usagePercent}
            tone={stale ? 'neutral' : toneOf('disk', cluster.usagePercent)}
          />
          <p className="mt-1.5 text-ink">
            <span className="text-ink-3">Full in </span>
            <FullInText forecast={cluster.forecast} />
          </p>
        </DetailsPanel>
        <Pools cluster={cluster} stale={stale} />
      </DetailsPanels>
      <HistoryCharts kind="cephClusters" id={id} name={name || 'Ceph'} alertId={cluster.id} />
      <ChangesFold kind="cephClusters" id={id} name={name} />
    </div>
  )
}

const usageText = ({ totalBytes, usedBytes, usagePercent }: CephCluster) =>
  totalBytes > 0
    ? `${formatBytes(usedBytes)} of ${formatBytes(totalBytes)} (${formatPercent(usagePercent)})`
    : MISSING

function Pools({ cluster: { pools = [] }, stale }: { cluster: CephCluster; stale: boolean }) {
  const more = pools.length - poolsShown
  return (
    <DetailsPanel title="Pools" note={more > 0 ? `and ${formatNumber(more)} more` : undefined}>
      {pools.length === 0 ? (
        <p className="text-ink-2">No pool data available</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {pools.slice(0, poolsShown).map((pool) => (
            <li key={pool.name}>
              <div className="flex items-baseline justify-between gap-3">
                <span className="min-w-0 truncate text-ink">{pool.name}</span>
                <span className="whitespace-nowrap text-ink-2 tabular-nums">
                  {formatPercent(pool.percentUsed)}
                  <span className="text-ink-3"> · {formatBytes(pool.storedBytes)} stored</span>
                </span>
              </div>
              <UsageBar
                percent={pool.percentUsed}
                tone={stale ? 'neutral' : toneOf('disk', pool.percentUsed)}
                className="mt-1"
              />
            </li>
          ))}
        </ul>
      )}
    </DetailsPanel>
  )
}
