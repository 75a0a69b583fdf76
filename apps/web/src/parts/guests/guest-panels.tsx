import type { Guest, GuestDisk, NetworkInterface } from '@pulse/contract'
import { fileSystemId, fileSystemName } from '@pulse/domain'
import { formatBytes, formatPercent, MISSING } from '../../lib/format.ts'
import { toneOf } from '../../lib/tones.ts'
import { UsageBar } from '../../ui/usage-bar.tsx'
import { FullInText } from '../forecast/full-in.tsx'
import { HistoryButton } from '../history/history-button.tsx'
import { DetailsPanel, DetailsPanels, Fact, Facts, Lines } from '../list/details.tsx'
import { detailsHint, unknownDisk } from './disk-reason.ts'
import { Basics, Rates } from './guest-basics.tsx'
import { fileSystemLabel } from './guest-forecast.ts'
import { guestName } from './guest-name.ts'
import { estimateReason, type GuestView } from './guest-view.ts'

interface PanelsProps {
  /** the guest's id in the store */
  id: string
  view: GuestView
  /** show rates: the table has no columns for them */
  withRates: boolean
  /** false: they are shown elsewhere, such as node, start and tags */
  withBasics?: boolean
}

/** What a guest reports besides its figures, or how to make it report that. */
export function GuestPanels(props: PanelsProps) {
  return hasDetails(props.view.guest) ? <Panels {...props} /> : <Unavailable {...props} />
}

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
    ipAddresses?.some((address) => !isLoopbackAddress(address)) ||
    memory?.balloon ||
    memory?.swapTotal ||
    disks?.length ||
    networkInterfaces?.some((nic) => !isLoopback(nic)),
  )
}

function Unavailable({ view, withRates, withBasics = true }: PanelsProps) {
  const hint = detailsHint(view)
  const reason = unknownDisk(view)
  return (
    <DetailsPanels>
      <div className="flex flex-col gap-1">
        <p className="text-table font-medium">Guest details unavailable</p>
        <p className="text-xs break-words text-ink-2">{hint}</p>
        {reason && reason !== hint && <p className="text-xs text-ink-2">{reason}</p>}
      </div>
      {withBasics && (
        <Facts>
          {withRates && <Rates view={view} />}
          <Basics view={view} />
        </Facts>
      )}
    </DetailsPanels>
  )
}

function Panels({ id, view, withRates, withBasics = true }: PanelsProps) {
  const { ipAddresses = [], memory, disks = [], networkInterfaces = [] } = view.guest
  const addresses = ipAddresses.filter((address) => !isLoopbackAddress(address))
  const interfaces = networkInterfaces.filter((nic) => !isLoopback(nic))
  const reason = unknownDisk(view)
  return (
    <DetailsPanels>
      <DetailsPanel title="Guest Overview">
        <Facts>
          {withRates && <Rates view={view} />}
          <Fact term="OS">{systemText(view.guest) || MISSING}</Fact>
          <Fact term="IP addresses">{addresses.length ? <Lines values={addresses} /> : MISSING}</Fact>
          {withBasics && <Basics view={view} />}
        </Facts>
      </DetailsPanel>
      {memory && (
        <DetailsPanel title="Memory" note={memory.estimate && estimateReason[memory.estimate]}>
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
        </DetailsPanel>
      )}
      {(disks.length > 0 || reason) && (
        <DetailsPanel title="Filesystems" note={reason}>
          {disks.length > 0 && (
            <ul className="flex flex-col gap-2">
              {disks.map((disk, index) => (
                <Filesystem
                  // it may have an open dialog, and others may be mounted before it
                  key={`${fileSystemLabel(disk) ?? index} ${disk.device}`}
                  guestId={id}
                  guest={view.guest}
                  disk={disk}
                  index={index}
                />
              ))}
            </ul>
          )}
        </DetailsPanel>
      )}
      {interfaces.length > 0 && (
        <DetailsPanel title="Network Interfaces" note="RX and TX totals are cumulative since boot.">
          <ul className="flex flex-col gap-2">
            {interfaces.map((nic, index) => (
              <Interface key={index} nic={nic} />
            ))}
          </ul>
        </DetailsPanel>
      )}
    </DetailsPanels>
  )
}

/** "usage unavailable" without a size: a share of nothing is not 0 %. */
function usageText({ used, total }: GuestDisk, percent: number | undefined): string {
  if (total <= 0) return 'usage unavailable'
  if (percent === undefined) return `${formatBytes(total)}, usage unknown`
  return `${formatBytes(used)} of ${formatBytes(total)} (${formatPercent(percent)})`
}

interface FilesystemProps {
  guestId: string
  guest: Guest
  disk: GuestDisk
  /** in the list of the guest */
  index: number
}

function Filesystem({ guestId, guest, disk, index }: FilesystemProps) {
  const percent =
    disk.total > 0 && disk.used !== undefined
      ? Math.min(100, Math.max(0, (disk.used / disk.total) * 100))
      : undefined
  const label = fileSystemLabel(disk) ?? MISSING
  const source = [disk.device, disk.type].filter(Boolean).join(' · ')
  return (
    <li>
      <div className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 truncate">
          {label}
          {disk.mountpoint && source && <span className="text-ink-3"> {source}</span>}
        </span>
        <span className="inline-flex items-center gap-1 whitespace-nowrap text-ink-2 tabular-nums">
          {usageText(disk, percent)}
          {percent !== undefined && (
            <HistoryButton
              kind="fileSystems"
              id={fileSystemId(guestId, disk, index)}
              name={`file system ${label} of ${guestName(guest)}`}
              alertId={guest.id}
              fileSystem={fileSystemName(disk, index).key}
            />
          )}
        </span>
      </div>
      {percent !== undefined && (
        <div className="mt-1">
          <UsageBar percent={percent} tone={toneOf('disk', percent)} />
        </div>
      )}
      {disk.forecast?.fullAt !== undefined && (
        <p className="mt-1 text-xs text-ink-3">
          Full in <FullInText forecast={disk.forecast} />
        </p>
      )}
    </li>
  )
}

function Interface({ nic }: { nic: NetworkInterface }) {
  return (
    <li>
      <div className="flex flex-wrap items-baseline gap-x-2">
        <span className="min-w-0 font-medium break-words text-ink">{nic.name}</span>
        {nic.mac && <span className="text-ink-3">{nic.mac}</span>}
      </div>
      {nic.addresses?.length ? <Lines values={nic.addresses} /> : null}
      <div className="text-ink-2 tabular-nums">
        RX {formatBytes(nic.rxBytes)} <span className="text-ink-3">·</span> TX {formatBytes(nic.txBytes)}
      </div>
    </li>
  )
}

/** OS name and version; words at the end of one and the start of the other appear once. */
export function systemText({ osName = '', osVersion = '' }: Pick<Guest, 'osName' | 'osVersion'>): string {
  const name = words(osName)
  const version = words(osVersion)
  if (includes(name, version)) return name.join(' ')
  if (includes(version, name)) return version.join(' ')
  let shared = Math.min(name.length, version.length)
  while (shared > 0 && !isSame(name.slice(-shared), version.slice(0, shared))) shared--
  return [...name, ...version.slice(shared)].join(' ')
}

const words = (text: string) => text.trim().split(/\s+/).filter(Boolean)
const isSame = (a: readonly string[], b: readonly string[]) =>
  a.join(' ').toLowerCase() === b.join(' ').toLowerCase()
const includes = (all: readonly string[], some: readonly string[]) =>
  some.length > 0 && all.some((_, at) => isSame(all.slice(at, at + some.length), some))

/** Loopback interfaces are hidden. */
const isLoopbackAddress = (address: string): boolean => /^(?:127\.\d|::1(?:\/|$))/.test(address)

export function isLoopback({ name, addresses = [] }: NetworkInterface): boolean {
  if (/^(?:lo\d*$|loopback)/i.test(name)) return true
  return addresses.length > 0 && addresses.every(isLoopbackAddress)
}
