import { memo } from 'react'
import { formatNumber } from '../../lib/format.ts'
import type { AlertLevels } from '../../parts/alert-levels.ts'
import { AlertStripe } from '../../parts/alert-stripe.tsx'
import { Cell, NumberCell, RateCell, UptimeCell, UsageCell, usedOfTotal } from '../../parts/cells.tsx'
import { rowClass } from '../../parts/grid/columns.ts'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { typeLabel } from './columns.ts'
import { diskReason } from './disk-reason.ts'
import { estimateReason } from './memory-estimate.ts'
import { type GuestLinks, guestLink } from './guest-links.ts'
import { GuestName } from './guest-name.tsx'
import { GuestPhoneRow } from './guest-phone-row.tsx'
import { type GuestView, useGuestView } from './guest-view.ts'

interface GuestRowProps {
  id: string
  links: GuestLinks
  alerts: AlertLevels
  expanded: boolean
  /** below its node's header */
  indented: boolean
  phone: boolean
  tabIndex: 0 | -1
}

export const GuestRow = memo(function GuestRow({
  id,
  links,
  alerts,
  expanded,
  indented,
  phone,
  tabIndex,
}: GuestRowProps) {
  const view = useGuestView(id)
  if (!view) return null
  const alert = alerts.get(view.guest.id)
  const name = (
    <GuestName
      id={id}
      name={view.guest.name}
      tags={view.guest.tags}
      lock={view.guest.lock}
      staleSince={view.staleSince}
      state={view.state}
      faint={view.faint}
      link={guestLink(links, view.guest, id)}
      alert={alert}
      expanded={expanded}
      tabIndex={tabIndex}
    />
  )
  if (phone) return <GuestPhoneRow view={view} name={name} alert={alert} />

  const { guest, stale, rates } = view
  return (
    <div
      data-guest-row={guest.vmid}
      data-dimmed={view.faint}
      className={rowClass(
        cx(
          'relative border-b border-line hover:bg-hover',
          view.faint && 'text-ink-3 [&_.usage-bar]:opacity-50',
          expanded && 'bg-hover',
        ),
      )}
    >
      <Cell className={cx('flex items-center gap-1.5', indented ? 'pl-5' : 'pl-3')}>
        <AlertStripe level={alert} />
        {name}
      </Cell>
      <Cell>
        <Badge>{typeLabel(guest)}</Badge>
      </Cell>
      <NumberCell>{guest.vmid}</NumberCell>
      <UptimeCell startedAt={view.startedAt} stale={stale} />
      <UsageCell percent={view.cpuPercent} scale="cpu" stale={stale} hint={cpuHint(view)} />
      <UsageCell
        percent={view.memoryPercent}
        scale="memory"
        stale={stale}
        estimate={view.memoryEstimate !== undefined}
        hint={memoryHint(view)}
      />
      <UsageCell percent={view.diskPercent} scale="disk" stale={stale} hint={diskHint(view)} />
      <RateCell bytesPerSecond={rates.diskRead} stale={stale} />
      <RateCell bytesPerSecond={rates.diskWrite} stale={stale} />
      <RateCell bytesPerSecond={rates.networkIn} stale={stale} />
      <RateCell bytesPerSecond={rates.networkOut} stale={stale} />
    </div>
  )
})

const cpuHint = ({ cpuPercent, guest: { cpus } }: GuestView) =>
  cpuPercent !== undefined && cpus > 0 ? `${formatNumber(cpus)} ${cpus === 1 ? 'CPU' : 'CPUs'}` : undefined

function memoryHint({ memoryPercent, memoryEstimate, guest: { memory } }: GuestView): string | undefined {
  if (memoryPercent === undefined) return undefined
  const used = usedOfTotal(memory?.used, memory?.total)
  return memoryEstimate ? `${used}. ${estimateReason[memoryEstimate]}` : used
}

function diskHint({ holds, diskPercent, guest }: GuestView): string | undefined {
  if (diskPercent !== undefined) return usedOfTotal(guest.disk?.used, guest.disk?.total)
  return holds ? diskReason(guest) : undefined
}
