import { X } from 'lucide-react'
import type { ReactNode } from 'react'

interface FilterChipProps {
  icon?: ReactNode
  onClear: () => void
  /** what the list is limited to */
  children: ReactNode
}

/** Says that a list is limited, with a button to clear that. */
export const FilterChip = ({ icon, onClear, children }: FilterChipProps) => (
  <p
    role="status"
    className="inline-flex h-7 w-fit max-w-full items-center gap-1.5 rounded-md bg-accent-soft pr-1 pl-2 text-xs whitespace-nowrap text-accent"
  >
    {icon}
    {children}
    <button
      type="button"
      onClick={onClear}
      className="inline-flex h-5 shrink-0 items-center gap-1 rounded px-1.5 font-medium hover:bg-hover"
    >
      <X aria-hidden size={12} />
      Clear filter
    </button>
  </p>
)
