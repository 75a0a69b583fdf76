import { KeyRound } from 'lucide-react'
import { useCallback } from 'react'
import { useEntity, useLive } from '../../live/use-live.ts'
import { alertLevels } from '../../parts/alerts/alert-levels.ts'
import { AlertMark } from '../../parts/alerts/alert-stripe.tsx'
import { Offline, StaleBadge } from '../../parts/cells/outage.tsx'
import { describeNode } from '../../parts/node-summary/rows.ts'
import { useSilenceLabel } from '../../parts/sources/sites.tsx'
import { TrendsToggle } from '../../parts/trends/trends.tsx'
import { Badge } from '../../ui/badge.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { tip } from '../../ui/tooltip.tsx'
import { OutsideLink } from './guest-head.tsx'
import { HeadFact, SiteFact, ThingHead, UpSince } from './head.tsx'

const noCounts = {}

export function NodeHead({ id }: { id: string }) {
  const node = useEntity('nodes', id)
  const wireId = node?.id ?? ''
  const alert = useLive(
    ['activeAlerts'],
    useCallback((live) => alertLevels(live).get(wireId), [wireId]),
  )
  const silence = useSilenceLabel(node?.source ?? '')
  if (!node) return null
  const row = describeNode(node, noCounts)
  const { name, extraName, url, version, cluster, online, outage, startedAt, staleSince, withheld } = row
  return (
    <ThingHead
      name={name}
      above={[{ to: '/proxmox/overview', text: 'Overview' }]}
      mark={
        staleSince === undefined ? (
          <StatusDot tone={online ? 'green' : 'red'} label={online ? 'Online' : 'Offline'} ring={!online} />
        ) : (
          <StatusDot tone={outage ? 'red' : 'orange'} label={silence} ring />
        )
      }
      badges={
        <>
          <Badge>PVE</Badge>
          {cluster && <Badge>{cluster}</Badge>}
          <AlertMark level={alert} />
          {staleSince !== undefined && <StaleBadge since={staleSince} down={outage !== undefined} />}
          {withheld && online && (
            <span className="inline-flex" {...tip(withheld)}>
              <Badge tone="orange">
                <KeyRound aria-hidden size={11} className="mr-1" />
                Partial<span className="sr-only">: {withheld}</span>
              </Badge>
            </span>
          )}
        </>
      }
      actions={
        <>
          <TrendsToggle />
          {url && <OutsideLink url={url} text="Proxmox VE" />}
        </>
      }
    >
      <HeadFact term="Status">
        {outage === 'offline' ? (
          <Offline since={row.offlineSince} />
        ) : staleSince === undefined ? (
          'Online'
        ) : (
          silence
        )}
      </HeadFact>
      {startedAt !== undefined && <UpSince startedAt={startedAt} stale={staleSince !== undefined} />}
      {version && <HeadFact term="Version">{version}</HeadFact>}
      {extraName && <HeadFact term="Node">{extraName}</HeadFact>}
      {node.instance !== node.node && <HeadFact term="Connection">{node.instance}</HeadFact>}
      <SiteFact source={node.source} />
    </ThingHead>
  )
}
