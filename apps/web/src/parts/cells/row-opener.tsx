import { ChevronRight } from 'lucide-react'
import { cx } from '../../ui/cx.ts'

interface RowOpenerProps {
  /** of what the row shows */
  name: string
  /** in a table where some rows open the names of the others begin at the same place */
  opens?: boolean
  expanded: boolean
  tabIndex: 0 | -1
  onToggle: () => void
}

// a finger needs 24 px; the margins leave 20 of them beside the name
const look =
  '-mr-0.5 -ml-1.5 inline-flex size-6 shrink-0 items-center justify-center rounded text-ink-3 hover:text-ink'

/** Before the name of a row that has details. */
export function RowOpener({ name, opens = true, expanded, tabIndex, onToggle }: RowOpenerProps) {
  if (!opens) return <span className={look} />
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-expanded={expanded}
      aria-label={`Details of ${name}`}
      className={look}
      onClick={onToggle}
    >
      <ChevronRight aria-hidden size={14} className={cx(expanded && 'rotate-90')} />
    </button>
  )
}
