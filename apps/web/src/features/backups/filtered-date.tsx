import { CalendarDays, X } from 'lucide-react'
import { noonOf } from './days.ts'

const long = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' })
const short = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** Says that one day alone is shown, and gives that up. */
export function FilteredDate({ day, onClear }: { day: string; onClear: () => void }) {
  return (
    <p
      role="status"
      className="inline-flex h-7 w-fit items-center gap-1.5 rounded-md bg-accent-soft pr-1 pl-2 text-xs whitespace-nowrap text-accent"
    >
      <CalendarDays aria-hidden size={13} />
      <span className="font-medium">Filtered Date</span>
      <span className="max-sm:hidden">{long.format(noonOf(day))}</span>
      <span className="sm:hidden">{short.format(noonOf(day))}</span>
      <button
        type="button"
        onClick={onClear}
        className="inline-flex h-5 items-center gap-1 rounded px-1.5 font-medium hover:bg-hover"
      >
        <X aria-hidden size={12} />
        Clear filter
      </button>
    </p>
  )
}
