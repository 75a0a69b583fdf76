import { ChevronRight } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { cx } from '../../ui/cx.ts'
import { hostLength } from './host-window.ts'

interface HostFoldProps {
  /** hosts that are well and not shown */
  more: number
  open: boolean
  onToggle: () => void
}

/** Below the hosts of a phone: as high as one of them. */
export const HostFold = ({ more, open, onToggle }: HostFoldProps) => (
  <button
    type="button"
    aria-expanded={open}
    onClick={onToggle}
    className="flex w-full items-center gap-1.5 border-t border-line bg-sunken px-3 text-xs text-ink-2 hover:bg-hover hover:text-ink focus-visible:outline-offset-[-2px]"
    style={{ height: hostLength.lines }}
  >
    <ChevronRight aria-hidden size={14} className={cx('-ml-0.5 text-ink-3', open && 'rotate-90')} />
    {open ? 'Show fewer hosts' : `${formatNumber(more)} more, all healthy`}
  </button>
)
