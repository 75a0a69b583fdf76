import { CircleCheck, type LucideIcon, RefreshCw, WifiOff } from 'lucide-react'
import type { ConnectionStatus } from '../live/connection.ts'
import { useConnection } from '../live/use-live.ts'
import { cx } from '../ui/cx.ts'

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

/** As wide as its longest text, so that nothing beside it moves. */
export function ConnectionIndicator() {
  const { text, Icon, tone, spins } = looks[useConnection((connection) => connection.status)]
  return (
    <output
      aria-label="Connection"
      className={cx('inline-flex min-w-[7.5rem] items-center justify-end gap-1.5 text-xs font-medium', tone)}
    >
      <Icon aria-hidden size={14} className={cx('shrink-0', spins && 'spin')} />
      {text}
    </output>
  )
}
