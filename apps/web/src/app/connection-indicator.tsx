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
  // the first moment of the page: not connected yet, and nothing wrong either
  connecting: { text: 'Disconnected', Icon: RefreshCw, tone: 'text-ink-3', spins: true },
}

/**
 * The connection to the server: while something that the server watches cannot be reached it is not green. As wide as
 * its longest text, so that nothing beside it moves.
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
 * What cannot be reached. It stands in the free room between the tabs, so that none of them moves when it comes; on a
 * phone that is as wide as a symbol.
 */
export function LostSources() {
  const names = useFailedNames()
  return names.unreachable.length + names.untrusted.length > 0 && <FailedBadge {...names} />
}

interface FailedNames {
  /** what cannot be reached */
  unreachable: readonly string[]
  /** what answers with a certificate that is not trusted */
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
