import type { Guest, GuestDisk, NetworkInterface } from '@pulse/contract'
import { memo, type ReactNode } from 'react'
import { formatBytes, formatPercent, formatRate, MISSING } from '../../lib/format.ts'
import { toneOf } from '../../lib/tones.ts'
import { isGuestHalted } from '../../parts/status.ts'
import { UsageBar } from '../../ui/usage-bar.tsx'
import { agentAwaited, diskReason } from './disk-reason.ts'
import { type GuestView, useGuestView } from './guest-view.ts'
import { estimateReason } from './memory-estimate.ts'

interface GuestDetailsProps {
  id: string
  colSpan: number
  /** the rates have no column there */
  phone: boolean
}

/** Below a row that was opened. */
export const GuestDetails = memo(function GuestDetails({ id, colSpan, phone }: GuestDetailsProps) {
  const view = useGuestView(id)
  if (!view) return null
  return (
    <div
      role="gridcell"
      aria-colspan={colSpan}
      className="sticky left-0 w-[100cqi] border-b border-line bg-sunken px-3 py-3 sm:px-9"
    >
      {hasDetails(view.guest) ? (
        <Panels view={view} phone={phone} />
      ) : (
        <Unavailable view={view} phone={phone} />
      )}
    </div>
  )
})

export function hasDetails({
  osName,
  osVersion,
  ipAddresses,
  memory,
  disks,
  networkInterfaces,
}: Guest): boolean {
  return Boolean(
    osName ||
    osVersion ||
    ipAddresses?.length ||
    memory?.balloon ||
    memory?.swapTotal ||
    disks?.length ||
    networkInterfaces?.length,
  )
}

/** The same as the tooltip of the row says, for those who do not point. */
const unknownDisk = ({ holds, diskPercent, guest }: GuestView): string | undefined =>
  holds && diskPercent === undefined && guest.diskStatusReason ? diskReason(guest) : undefined

function Unavailable({ view, phone }: { view: GuestView; phone: boolean }) {
  const hint = missingHint(view)
  const reason = unknownDisk(view)
  return (
    <div className="flex flex-col gap-1">
      {phone && (
        <div className="mb-2 text-xs">
          <Facts>
            <Rates view={view} />
          </Facts>
        </div>
      )}
      <p className="text-table font-medium">Guest details unavailable</p>
      <p className="text-xs text-ink-2">{hint}</p>
      {reason && reason !== hint && <p className="text-xs text-ink-2">{reason}</p>}
    </div>
  )
}

function missingHint({ guest, running }: GuestView): string {
  if (!running && isGuestHalted(guest)) return diskReason({ type: guest.type, diskStatusReason: 'vm-paused' })
  const awaited = agentAwaited(guest)
  if (awaited) return awaited
  return guest.type === 'qemu'
    ? 'Install and run the guest agent in the VM.'
    : 'Start the container and ensure sufficient permissions.'
}

function Panels({ view, phone }: { view: GuestView; phone: boolean }) {
  const { osName, osVersion, ipAddresses = [], memory, disks = [], networkInterfaces = [] } = view.guest
  const reason = unknownDisk(view)
  const os = [osName, osVersion].filter(Boolean).join(' ')
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(240px,100%),1fr))] gap-x-8 gap-y-4">
      <Panel title="Guest Overview">
        <Facts>
          {phone && <Rates view={view} />}
          <Fact term="OS">{os || MISSING}</Fact>
          <Fact term="IP addresses">{ipAddresses.length ? <Lines values={ipAddresses} /> : MISSING}</Fact>
        </Facts>
      </Panel>
      {memory && (
        <Panel title="Memory" note={memory.estimate && estimateReason[memory.estimate]}>
          <Facts>
            <Fact term="Used">
              {memory.estimate && <span className="text-ink-3">≈ </span>}
              {formatBytes(memory.used)} of {formatBytes(memory.total)}
            </Fact>
            {memory.balloon ? <Fact term="Balloon">{formatBytes(memory.balloon)}</Fact> : null}
            {memory.swapTotal ? (
              <Fact term="Swap">
                {formatBytes(memory.swapUsed)} of {formatBytes(memory.swapTotal)}
              </Fact>
            ) : null}
          </Facts>
        </Panel>
      )}
      {(disks.length > 0 || reason) && (
        <Panel title="Filesystems" note={reason}>
          {disks.length > 0 && (
            <ul className="flex flex-col gap-2">
              {disks.map((disk, index) => (
                <Filesystem key={index} disk={disk} />
              ))}
            </ul>
          )}
        </Panel>
      )}
      {networkInterfaces.length > 0 && (
        <Panel title="Network Interfaces" note="RX and TX totals are cumulative since boot.">
          <ul className="flex flex-col gap-2">
            {networkInterfaces.map((nic, index) => (
              <Interface key={index} nic={nic} />
            ))}
          </ul>
        </Panel>
      )}
    </div>
  )
}

function Rates({ view: { rates } }: { view: GuestView }) {
  return (
    <>
      <Fact term="Disk Read">{formatRate(rates.diskRead)}</Fact>
      <Fact term="Disk Write">{formatRate(rates.diskWrite)}</Fact>
      <Fact term="Net In">{formatRate(rates.networkIn)}</Fact>
      <Fact term="Net Out">{formatRate(rates.networkOut)}</Fact>
    </>
  )
}

/** "usage unavailable" where a size is missing: a share of nothing is not 0 %. */
function usageText({ used, total }: GuestDisk, percent: number | undefined): string {
  if (total <= 0) return 'usage unavailable'
  if (percent === undefined) return `${formatBytes(total)}, usage unknown`
  return `${formatBytes(used)} of ${formatBytes(total)} (${formatPercent(percent)})`
}

function Filesystem({ disk }: { disk: GuestDisk }) {
  const percent =
    disk.total > 0 && disk.used !== undefined
      ? Math.min(100, Math.max(0, (disk.used / disk.total) * 100))
      : undefined
  const source = [disk.device, disk.type].filter(Boolean).join(' · ')
  return (
    <li>
      <div className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 truncate">
          {disk.mountpoint || disk.device || MISSING}
          {disk.mountpoint && source && <span className="text-ink-3"> {source}</span>}
        </span>
        <span className="whitespace-nowrap text-ink-2 tabular-nums">{usageText(disk, percent)}</span>
      </div>
      {percent !== undefined && (
        <div className="mt-1">
          <UsageBar percent={percent} tone={toneOf('disk', percent)} />
        </div>
      )}
    </li>
  )
}

function Interface({ nic }: { nic: NetworkInterface }) {
  return (
    <li>
      <div className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium text-ink">{nic.name}</span>
        {nic.mac && <span className="text-ink-3">{nic.mac}</span>}
      </div>
      {nic.addresses?.length ? <Lines values={nic.addresses} /> : null}
      <div className="text-ink-2 tabular-nums">
        RX {formatBytes(nic.rxBytes)} <span className="text-ink-3">·</span> TX {formatBytes(nic.txBytes)}
      </div>
    </li>
  )
}

function Panel({ title, note, children }: { title: string; note?: string | undefined; children: ReactNode }) {
  return (
    <section className="min-w-0 text-xs">
      <h2 className="mb-1.5 text-2xs font-semibold tracking-wide text-ink-3">{title}</h2>
      {children}
      {note && <p className="mt-1.5 text-ink-3">{note}</p>}
    </section>
  )
}

const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">{children}</dl>
)

const Fact = ({ term, children }: { term: string; children: ReactNode }) => (
  <>
    <dt className="text-ink-3">{term}</dt>
    <dd className="min-w-0 break-words text-ink tabular-nums">{children}</dd>
  </>
)

const Lines = ({ values }: { values: readonly string[] }) => (
  <ul className="text-ink-2">
    {values.map((value) => (
      <li key={value} className="break-all tabular-nums">
        {value}
      </li>
    ))}
  </ul>
)
