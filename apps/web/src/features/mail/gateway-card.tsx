import type { MailGateway, SourceState } from '@pulse/contract'
import { Layers } from 'lucide-react'
import { useMemo } from 'react'
import { displayName } from '../../lib/display-name.ts'
import { formatRelative } from '../../lib/format.ts'
import type { Tone } from '../../lib/tones.ts'
import { useNow } from '../../lib/use-now.ts'
import type { LiveReader } from '../../live/store.ts'
import { sameList, useEntity, useLive } from '../../live/use-live.ts'
import { TICK_MS } from '../../parts/cells/cells.tsx'
import { webUrl } from '../../lib/links.ts'
import { HistoryButton } from '../../parts/history/history-button.tsx'
import { LiveCard } from '../../parts/live-page/live-page.tsx'
import { shortVersion } from '../../parts/nodes/names.ts'
import { StaleBadge } from '../../parts/cells/outage.tsx'
import { SiteBadge, silenceLabel } from '../../parts/sources/sites.tsx'
import { UnreadableList } from '../../parts/sources/unreadable-list.tsx'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { compareValues } from '../../ui/table/sort.ts'
import { toneText } from '../../ui/tone-class.ts'
import { GatewayPanels } from './gateway-panels.tsx'

/** One gateway: its status and figures. */
export function GatewayCard({ id }: { id: string }) {
  const gateway = useEntity('pmg', id)
  const source = useEntity('sources', id)
  if (!gateway) return null
  const stale = gateway.staleSince !== undefined
  return (
    <LiveCard>
      <article aria-label={displayName(gateway)}>
        <Head gateway={gateway} source={source} />
        <SameCluster id={id} />
        {source?.health !== 'error' && <UnreadableList parts={source?.unreadable ?? []} />}
        <div {...(stale && { 'data-stale': true })} className={cx('group/gateway', stale && 'grayscale')}>
          <GatewayPanels gateway={gateway} source={source} />
        </div>
      </article>
    </LiveCard>
  )
}

function Head({ gateway, source }: { gateway: MailGateway; source: SourceState | undefined }) {
  const { host, version, staleSince } = gateway
  const name = displayName(gateway)
  const tone = gatewayTone(gateway, source)
  const status = gatewayStatus(gateway, source)
  const url = webUrl(host, name, 'pmg')
  const look = 'min-w-6 truncate text-sm leading-6 font-semibold text-ink'
  return (
    <header className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-4 py-2">
      <StatusDot tone={tone} label="" ring={tone === 'red'} />
      <h2 className="flex min-w-0">
        {url ? (
          <a
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={`${name}, open web interface`}
            className={cx(look, 'hover:text-accent hover:underline')}
          >
            {name}
          </a>
        ) : (
          <span className={look}>{name}</span>
        )}
      </h2>
      <Badge>PMG</Badge>
      <Badge>v{shortVersion(version) ?? '?'}</Badge>
      <SiteBadge kind="pmg" id={gateway.source} />
      <span className={cx('text-xs font-medium', tone === 'green' ? 'text-ink-2' : toneText[tone])}>
        {status}
      </span>
      {staleSince !== undefined && <StaleBadge since={staleSince} down={tone === 'red'} />}
      <HistoryButton kind="pmg" id={gateway.source} name={name} alertId={gateway.id} className="size-7" />
      <Updated at={gateway.lastUpdated} />
    </header>
  )
}

/** Warns that cluster members count the same mail. */
function SameCluster({ id }: { id: string }) {
  const select = useMemo(() => selectSameCluster(id), [id])
  const names = useLive(['pmg'], select, sameList)
  if (names.length === 0) return null
  return (
    <p className="flex gap-2 border-b border-line px-4 py-1.5 text-xs wrap-anywhere text-ink-2">
      <Layers aria-hidden size={13} className="mt-px shrink-0 text-ink-3" />
      In a cluster with {names.join(', ')}: each card shows the mail of the whole cluster.
    </p>
  )
}

function Updated({ at }: { at: string }) {
  const age = useNow(TICK_MS, (now) => formatRelative(Date.parse(at), now))
  return <span className="ml-auto text-xs whitespace-nowrap text-ink-3 tabular-nums">Updated {age}</span>
}

type Healthy = Pick<MailGateway, 'connectionHealth' | 'status'>

/** Tone of the connection health, or of the gateway's own status while the former is unknown. */
export function gatewayTone(
  { connectionHealth, status }: Healthy,
  source?: Pick<SourceState, 'siteUnreachableSince'>,
): Extract<Tone, 'green' | 'yellow' | 'red'> {
  if (source?.siteUnreachableSince !== undefined) return 'yellow'
  const text = (connectionHealth === 'unknown' ? status : connectionHealth).toLowerCase()
  if (text.includes('healthy') || text === 'online') return 'green'
  return text.includes('degraded') || text.includes('warning') ? 'yellow' : 'red'
}

/** A gateway that does not answer is not necessarily offline. */
export function gatewayStatus(
  { connectionHealth, status }: Healthy,
  source: Pick<SourceState, 'refused' | 'siteUnreachableSince'> | undefined,
): string {
  if (source?.siteUnreachableSince !== undefined) return silenceLabel(source)
  if (connectionHealth === 'error') return source?.refused ? 'Access refused' : silenceLabel(source)
  return status.charAt(0).toUpperCase() + status.slice(1)
}

/** Names of other connected gateways in the same cluster: they report the same mail. */
const selectSameCluster =
  (id: string) =>
  (live: LiveReader): readonly string[] => {
    const cluster = live.get('pmg', id)?.cluster
    if (!cluster) return []
    return selectGateways(live)
      .filter((other) => other !== id)
      .map((other) => live.get('pmg', other)!)
      .filter((other) => other.cluster?.fingerprint === cluster.fingerprint)
      .map(displayName)
  }

/** Gateway ids, sorted by name. */
export const selectGateways = (live: LiveReader): readonly string[] =>
  [...live.records('pmg')]
    .toSorted(([, a], [, b]) => compareValues(displayName(a), displayName(b)))
    .map(([id]) => id)
