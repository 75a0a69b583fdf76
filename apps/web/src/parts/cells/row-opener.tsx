import { ChevronRight } from 'lucide-react'
import { cx } from '../../ui/cx.ts'

interface RowOpenerProps {
  /** name of the record in the row */
  name: string
  /** false keeps the space, so that the names of all rows are aligned */
  opens?: boolean
  expanded: boolean
  tabIndex: 0 | -1
  onToggle: () => void
}

// a finger needs 24 px; the margins leave 20 px of it beside the name
const iconClass =
  '-mr-0.5 -ml-1.5 inline-flex size-6 shrink-0 items-center justify-center rounded text-ink-3 hover:text-ink'

/** Precedes the name of a row with details. */
export function RowOpener({ name, opens = true, expanded, tabIndex, onToggle }: RowOpenerProps) {
  if (!opens) return <span className={iconClass} />
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-expanded={expanded}
      aria-label={`Details of ${name}`}
      className={iconClass}
      onClick={onToggle}
    >
      <ChevronRight aria-hidden size={14} className={cx(expanded && 'rotate-90')} />
    </button>
  )
}
