import { CircleCheck, type LucideIcon, RefreshCw, TriangleAlert, WifiOff } from 'lucide-react'
import type { ConnectionStatus } from '../live/connection.ts'
import { sameList, useConnection, useLive } from '../live/use-live.ts'
import { formatNumber } from '../lib/format.ts'
import { lostKinds, selectLostNames } from '../parts/lost-names.ts'
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
 * About the way to the server, and to what it watches: while something there cannot be reached it is not green. As
 * wide as its longest text, so that nothing beside it moves.
 */
export function ConnectionIndicator() {
  const status = useConnection((connection) => connection.status)
  const lost = useLive(lostKinds, selectLostNames, sameList)
  const isPartial = status === 'connected' && lost.length > 0
  const { text, Icon, tone, spins } = looks[status]
  return (
    <>
      {isPartial && <LostBadge names={lost} />}
      <output
        aria-label="Connection"
        className={cx(
          'inline-flex items-center justify-end gap-1.5 text-xs font-medium',
          isPartial ? 'min-w-0 text-ink-2 sm:min-w-[7.5rem]' : 'min-w-[7.5rem]',
          !isPartial && tone,
        )}
      >
        <Icon aria-hidden size={14} className={cx('shrink-0', spins && 'spin')} />
        {text}
      </output>
    </>
  )
}

function LostBadge({ names }: { names: readonly string[] }) {
  return (
    <Link
      to="/proxmox/overview"
      className="mr-1.5 inline-flex h-6 shrink-0 items-center gap-1 rounded bg-red-soft px-1.5 text-xs font-medium text-red tabular-nums hover:underline"
      {...tip(['Cannot be reached:', ...firstLines(names)].join('\n'))}
    >
      <TriangleAlert aria-hidden size={13} />
      <span className="max-w-40 truncate max-sm:sr-only">
        {names.length === 1 ? names[0] : formatNumber(names.length)} unreachable
      </span>
      <span aria-hidden className="sm:hidden">
        {formatNumber(names.length)}
      </span>
    </Link>
  )
}
