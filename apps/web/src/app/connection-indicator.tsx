import { CircleCheck, type LucideIcon, RefreshCw, TriangleAlert, WifiOff } from 'lucide-react'
import type { ConnectionStatus } from '../live/connection.ts'
import { sameList, useConnection, useLive } from '../live/use-live.ts'
import { formatNumber } from '../lib/format.ts'
import {
  unreachableKinds,
  selectUnreachableNames,
  selectUntrustedNames,
} from '../parts/sources/unreachable.ts'
import { cx } from '../ui/cx.ts'
import { Link } from '../ui/router/link.tsx'
import { firstLines, tip } from '../ui/tooltip.tsx'

interface Look {
  text: string
  Icon: LucideIcon
  tone: string
  spins?: boolean
}

const looks: Record<ConnectionStatus, Look> = {
  connected: { text: 'Connected', Icon: CircleCheck, tone: 'text-green' },
  reconnecting: { text: 'Reconnecting...', Icon: RefreshCw, tone: 'text-orange', spins: true },
  disconnected: { text: 'Disconnected', Icon: WifiOff, tone: 'text-red' },
  // while the page loads: not connected yet, but not a failure either
  connecting: { text: 'Disconnected', Icon: RefreshCw, tone: 'text-ink-3', spins: true },
}

/**
 * The connection to the server; not green while a source is unreachable. It is as wide as its longest text,
 * so that its neighbours do not move.
 */
export function ConnectionIndicator() {
  const status = useConnection((connection) => connection.status)
  const { unreachable, untrusted } = useFailedNames()
  const isPartial = unreachable.length + untrusted.length > 0
  const { text, Icon, tone, spins } = looks[status]
  return (
    <output
      aria-label="Connection"
      className={cx(
        'inline-flex min-w-[7.5rem] items-center justify-end gap-1.5 text-xs font-medium',
        isPartial ? 'text-ink-2' : tone,
      )}
    >
      <Icon aria-hidden size={14} className={cx('shrink-0', spins && 'spin')} />
      {text}
    </output>
  )
}

/**
 * Unreachable sources. They use the free space between the tabs, so that no tab moves when they appear.
 * Phones have space for the icon only.
 */
export function LostSources() {
  const names = useFailedNames()
  return names.unreachable.length + names.untrusted.length > 0 && <FailedBadge {...names} />
}

interface FailedNames {
  /** unreachable sources and machines */
  unreachable: readonly string[]
  /** sources with an untrusted certificate */
  untrusted: readonly string[]
}

const none: FailedNames = { unreachable: [], untrusted: [] }

function useFailedNames(): FailedNames {
  const isConnected = useConnection(({ status }) => status === 'connected')
  const unreachable = useLive(unreachableKinds, selectUnreachableNames, sameList)
  const untrusted = useLive(unreachableKinds, selectUntrustedNames, sameList)
  return isConnected ? { unreachable, untrusted } : none
}

function FailedBadge({ unreachable, untrusted }: FailedNames) {
  const isMixed = unreachable.length > 0 && untrusted.length > 0
  return (
    <Link
      to="/proxmox/overview"
      className="mr-1.5 inline-flex h-6 shrink-0 items-center gap-1 rounded bg-red-soft px-1.5 max-sm:mr-0.5 max-sm:px-1 text-xs font-medium text-red tabular-nums hover:underline"
      {...tip(
        [...listed('Cannot be reached:', unreachable), ...listed('Certificate not trusted:', untrusted)].join(
          '\n',
        ),
      )}
    >
      <TriangleAlert aria-hidden size={13} />
      <span className={cx('truncate max-sm:sr-only', isMixed ? 'max-w-56' : 'max-w-40')}>
        {isMixed
          ? `${formatNumber(unreachable.length)} unreachable, ${formatNumber(untrusted.length)} not trusted`
          : `${oneOrCount(unreachable.length > 0 ? unreachable : untrusted)} ${unreachable.length > 0 ? 'unreachable' : 'not trusted'}`}
      </span>
    </Link>
  )
}

const oneOrCount = (names: readonly string[]) => (names.length === 1 ? names[0] : formatNumber(names.length))

const listed = (title: string, names: readonly string[]) =>
  names.length > 0 ? [title, ...firstLines(names)] : []
