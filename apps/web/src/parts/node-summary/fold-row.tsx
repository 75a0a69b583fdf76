import { ChevronRight } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { cx } from '../../ui/cx.ts'

interface FoldRowProps {
  /** how many lines it stands for */
  count: number
  open: boolean
  colSpan: number
  tabIndex: 0 | -1
  onToggle: () => void
}

/** Stands for the lines that are well, above them when it is open. */
export function FoldRow({ count, open, colSpan, tabIndex, onToggle }: FoldRowProps) {
  return (
    <div
      role="gridcell"
      aria-colspan={colSpan}
      className="flex h-full items-center border-b border-line bg-sunken px-3 text-xs text-ink-2 hover:bg-hover"
    >
      <button
        type="button"
        tabIndex={tabIndex}
        aria-expanded={open}
        onClick={onToggle}
        className="inline-flex items-center gap-1.5 rounded hover:text-ink"
      >
        <ChevronRight aria-hidden size={14} className={cx('-ml-0.5 text-ink-3', open && 'rotate-90')} />
        {formatNumber(count)} more, all healthy
      </button>
    </div>
  )
}
