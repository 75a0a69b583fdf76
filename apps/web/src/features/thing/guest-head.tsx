import { ExternalLink, Lock } from 'lucide-react'
import { useCallback } from 'react'
import { pveUrl, webUrl } from '../../lib/links.ts'
import { tagList } from '../../lib/tags.ts'
import { useEntity, useLive } from '../../live/use-live.ts'
import { alertLevels } from '../../parts/alerts/alert-levels.ts'
import { AlertMark } from '../../parts/alerts/alert-stripe.tsx'
import { StaleBadge } from '../../parts/cells/outage.tsx'
import { FullInText } from '../../parts/forecast/full-in.tsx'
import { guestForecasts } from '../../parts/guests/guest-forecast.ts'
import { typeLabel, useGuestView } from '../../parts/guests/guest-view.ts'
import { TagList } from '../../parts/guests/tag-list.tsx'
import { guestLink, useGuestLinks } from '../../parts/nodes/guest-links.ts'
import { indexNodes, nodeKey } from '../../parts/nodes/nodes.ts'
import { ThingName } from '../../parts/thing/page-link.tsx'
import { thingPath } from '../../parts/thing/thing-path.ts'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { HeadFact, SiteFact, ThingHead, UpSince } from './head.tsx'
import { guestName } from '../../parts/guests/guest-name.ts'

export function GuestHead({ id }: { id: string }) {
  const view = useGuestView(id)
  const links = useGuestLinks()
  const wireId = view?.guest.id ?? ''
  const alert = useLive(
    ['activeAlerts'],
    useCallback((live) => alertLevels(live).get(wireId), [wireId]),
  )
  const key = view && nodeKey(view.guest)
  const nodeId = useLive(
    ['nodes'],
    useCallback((live) => (key === undefined ? undefined : indexNodes(live).get(key)?.id), [key]),
  )
  const node = useEntity('nodes', nodeId ?? '')
  if (!view) return null
  const { guest, state, stale, startedAt } = view
  const { instance, lock, vmid, type } = guest
  const tags = tagList(guest.tags)
  const [fullFirst] = guestForecasts(guest)
  const link = guestLink(links, guest, id)
  const proxmox = pveUrl(node && webUrl(node.host, node.name, 'pve'), `${type}/${vmid}`)
  return (
    <ThingHead
      name={guestName(guest)}
      above={[
        { to: '/proxmox/overview', text: 'Overview' },
        ...(nodeId === undefined ? [] : [{ to: thingPath('nodes', nodeId), text: guest.node }]),
      ]}
      mark={<StatusDot {...state} />}
      badges={
        <>
          <Badge>{typeLabel(guest)}</Badge>
          {guest.template && <Badge>Template</Badge>}
          {lock && (
            <Badge tone="orange">
              <Lock aria-hidden size={10} className="mr-1" />
              <span className="sr-only">Locked: </span>
              {lock}
            </Badge>
          )}
          <AlertMark level={alert} />
          {stale && <StaleBadge since={guest.staleSince!} />}
        </>
      }
      actions={
        <>
          {link && <OutsideLink url={link} text="Custom link" />}
          {proxmox && <OutsideLink url={proxmox} text="Proxmox VE" />}
        </>
      }
    >
      <HeadFact term="Status">{state.label}</HeadFact>
      {startedAt !== undefined && <UpSince startedAt={startedAt} stale={stale} />}
      <HeadFact term="VMID">{vmid}</HeadFact>
      <HeadFact term="Node">
        {nodeId === undefined ? (
          guest.node
        ) : (
          <ThingName kind="nodes" id={nodeId} name={guest.node} className="-my-1 inline-block" />
        )}
      </HeadFact>
      {instance !== guest.node && <HeadFact term="Connection">{instance}</HeadFact>}
      <SiteFact source={guest.source} />
      {fullFirst && (
        <HeadFact term="Disk full in">
          <FullInText forecast={fullFirst.forecast} fileSystem={fullFirst.fileSystem} />
        </HeadFact>
      )}
      {tags.length > 0 && (
        <HeadFact term="Tags">
          <TagList tags={tags} />
        </HeadFact>
      )}
    </ThingHead>
  )
}

export const OutsideLink = ({ url, text }: { url: string; text: string }) => (
  <a href={url} target="_blank" rel="noopener noreferrer" className={buttonClass()}>
    {text}
    <ExternalLink aria-hidden size={14} />
    <span className="sr-only">, opens in another tab</span>
  </a>
)
